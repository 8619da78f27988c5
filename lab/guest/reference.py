"""A plain client to hold the lab's truth against: writes and reads a file in blocks, and times only the transfers.

Usage: reference.py FILE BLOCKS; prints one JSON object with the seconds of each direction.
"""

import json
import mmap
import os
import sys
import time

BLOCK = 8 << 20


def timed(path, flags, blocks, move):
    handle = os.open(path, flags | os.O_DIRECT)
    began = time.monotonic()
    for number in range(blocks):
        # Direct I/O needs an aligned buffer, and mmap gives one.
        assert move(handle, number * BLOCK) == BLOCK
    seconds = time.monotonic() - began
    os.close(handle)
    return seconds


path, blocks = sys.argv[1], int(sys.argv[2])
buffer = mmap.mmap(-1, BLOCK)
buffer.write(os.urandom(BLOCK))
print(json.dumps({
    "write": timed(path, os.O_CREAT | os.O_WRONLY | os.O_DSYNC, blocks, lambda h, at: os.pwrite(h, buffer, at)),
    "read": timed(path, os.O_RDONLY, blocks, lambda h, at: os.preadv(h, [buffer], at)),
}))
