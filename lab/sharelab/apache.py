"""A NAS that speaks WebDAV, over HTTP and HTTPS: Apache, alone in the nas namespace."""

from . import people
from .host import LabError, call, end_session, start_daemon, wait_for
from .network import NAS_ADDRESS, NAS_NAME

MODULES = "/usr/lib/apache2/modules"
CONFIG = """\
ServerRoot {state}
PidFile {state}/apache.pid
ServerName {name}
Listen {address}:80
Listen {address}:443
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule alias_module {modules}/mod_alias.so
LoadModule authn_core_module {modules}/mod_authn_core.so
LoadModule authn_file_module {modules}/mod_authn_file.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule authz_user_module {modules}/mod_authz_user.so
LoadModule auth_basic_module {modules}/mod_auth_basic.so
LoadModule mime_module {modules}/mod_mime.so
LoadModule dav_module {modules}/mod_dav.so
LoadModule dav_fs_module {modules}/mod_dav_fs.so
LoadModule ssl_module {modules}/mod_ssl.so
User www-data
Group www-data
Mutex file:{state}/lock default
TypesConfig /dev/null
ErrorLog {state}/error.log
LogLevel warn
KeepAlive On
MaxKeepAliveRequests 0
DavLockDB {state}/lock/dav
DocumentRoot {state}/empty
SSLCertificateFile {state}/nas.pem
SSLCertificateKeyFile {state}/nas.key
Alias /share {folder}
<Location /share>
    Dav On
    AuthType Basic
    AuthName NAS
    AuthBasicProvider file
    AuthUserFile {state}/people
    Require valid-user
</Location>
<VirtualHost *:443>
    SSLEngine on
</VirtualHost>
"""


class Apache:
    """Gives `folder` as /share to people.USER."""

    def __init__(self, workspace, hosts, folder, tracer=()):
        self.hosts = hosts
        self.state = workspace.path("apache")
        workspace.path("apache", "empty")
        workspace.path("apache", "lock").chmod(0o777)
        hashed = call("openssl", "passwd", "-apr1", people.PASSWORD).strip()
        (self.state / "people").write_text(f"{people.USER}:{hashed}\n")
        #: The certificate of who signed the NAS's own.
        self.authority = make_authority(self.state / "authority")
        self.certify(f"DNS:{NAS_NAME},IP:{NAS_ADDRESS}")
        self.config = self.state / "apache.conf"
        self.config.write_text(
            CONFIG.format(state=self.state, folder=folder, address=NAS_ADDRESS, name=NAS_NAME, modules=MODULES))
        #: A command that runs the server, strace for one.
        self.tracer = tracer
        self.process = None
        workspace.later.callback(self.kill)
        self.start()

    def certify(self, names):
        """Gives the NAS a certificate for these names; the server takes it up when it starts."""
        request, extensions = self.state / "nas.csr", self.state / "nas.ext"
        call("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=nas",
             "-keyout", self.state / "nas.key", "-out", request)
        extensions.write_text(f"subjectAltName={names}\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n")
        call("openssl", "x509", "-req", "-in", request, "-days", "30", "-extfile", extensions, "-CAcreateserial",
             "-CA", self.authority, "-CAkey", self.authority.with_suffix(".key"), "-out", self.state / "nas.pem")

    def start(self):
        argv = [*self.tracer, "/usr/sbin/apache2", "-DFOREGROUND", "-f", self.config]
        self.process = start_daemon(self.hosts.on_nas(*argv), self.state / "apache.out")
        wait_for(self._answers, 10, "apache to answer", every=0.1)

    def _answers(self):
        if self.process.poll() is not None:
            raise LabError(f"apache ended: {(self.state / 'apache.out').read_text()[-500:]}")
        return ":443" in call(*self.hosts.on_nas("ss", "-Hltn", "sport", "=", ":443"))

    def kill(self):
        if self.process is not None:
            end_session(self.process)
            self.process = None


def make_authority(path):
    """Makes a certificate that signs others, and its key beside it. Nobody trusts it who is not told to."""
    certificate = path.with_suffix(".pem")
    call("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
         "-subj", "/CN=lab authority", "-addext", "basicConstraints=critical,CA:TRUE",
         "-addext", "keyUsage=critical,keyCertSign", "-keyout", path.with_suffix(".key"), "-out", certificate)
    return certificate
