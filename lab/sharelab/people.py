"""The people the NAS knows. They are in its own /etc, and nobody on the lab's machine gets an account."""

from pathlib import Path

from .host import call

USER = "mika"
#: Like nothing else, so that it is found wherever it should not be.
PASSWORD = "Qz7-unseen-Vr4m"
IDS = 4242


def settle(hosts):
    """Lets USER with PASSWORD live on the NAS."""
    hashed = call("openssl", "passwd", "-6", PASSWORD).strip()
    lines = {
        "passwd": f"{USER}:x:{IDS}:{IDS}::/nonexistent:/bin/sh\n",
        "group": f"{USER}:x:{IDS}:\n",
        "shadow": f"{USER}:{hashed}:19000:0:99999:7:::\n",
    }
    for name, line in lines.items():
        hosts.etc(hosts.nas, name, Path("/etc", name).read_text() + line)
