"""nginx and Apache with the files of the recipe for a wall tablet, as processes of their own."""

import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess

from support import PATIENCE, PROJECT, until

RECIPE = PROJECT / "docs/recipes/wall-tablet.md"


def block(name, page=RECIPE):
    """A file of a recipe."""
    return re.search(rf"^```\S* file={re.escape(name)}\b[^\n]*\n(.*?)^```", page.read_text(), re.M | re.S)[1]


class Proxy:
    """What the recipes' files need around them is in a folder of the test."""

    def __init__(self, directory, port, target):
        self.directory = pathlib.Path(directory)
        self.port, self.target = port, target
        self.process = None
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=wall.example",
                        "-keyout", self.directory / "tls.key", "-out", self.directory / "tls.crt"],
                       check=True, capture_output=True)
        self.configuration = self.directory / "proxy.conf"
        recipe = block(self.recipe).replace("8735", str(target)).replace("443", str(port))
        recipe = recipe.replace("/etc/ssl/wall.example", str(self.directory / "tls"))
        self.configuration.write_text(self.around(recipe))
        for secret in (self.directory / "tls.key", self.configuration):
            secret.chmod(0o600)

    def start(self):
        self.process = subprocess.Popen(self.words(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)
        until(self.answers, "the proxy listens")

    def answers(self):
        """Whether it speaks TLS: an open port is not yet a server that answers."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                ssl._create_unverified_context().wrap_socket(connection).close()
        except OSError:
            return False
        return True

    def signal(self, which):
        os.killpg(self.process.pid, which)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.signal(signal.SIGKILL)
            self.process.wait(PATIENCE)


class Nginx(Proxy):
    recipe = "nginx-wall.conf"

    def words(self):
        return ["/usr/sbin/nginx", "-p", str(self.directory), "-c", str(self.configuration)]

    def around(self, recipe):
        temporary = "\n".join(f"{name}_temp_path {self.directory}/{name};"
                              for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;" if os.geteuid() == 0 else ""
        return f"""daemon off; {user} worker_processes 1; pid {self.directory}/pid; error_log {self.directory}/errors;
events {{}}
http {{ access_log off; {temporary} gzip on; gzip_types *; gzip_proxied any; gzip_vary on; gzip_min_length 20;
{recipe}}}
"""


class Apache(Proxy):
    recipe = "apache-wall.conf"

    def words(self):
        return ["/usr/sbin/apache2", "-DFOREGROUND", "-f", str(self.configuration)]

    def around(self, recipe):
        modules = "\n".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in (
            "mpm_event", "authz_core", "headers", "proxy", "proxy_http", "ssl", "deflate", "filter"))
        return f"""ServerRoot {self.directory}
DefaultRuntimeDir {self.directory}
PidFile {self.directory}/pid
ErrorLog {self.directory}/errors
ServerName wall.example
Listen 127.0.0.1:{self.port}
User nobody
Group nogroup
{modules}
SetOutputFilter DEFLATE
{recipe}"""
