"""Real proxies with the files of deploy/, on free ports of this machine."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from deploy.files import FOLDER
from e2e.process import free_port
from outside_programs import found
from patience import PATIENCE_S
from shared_postgres import create_folder

from licet_server.kit.postgres.account import server_account

DEAD = "127.0.0.1:1"
"""A node that is not there."""

Behind = AbstractContextManager[tuple[int, Path]]
"""Gives the port of a running proxy, and the certificate of its authority, which may come later."""

_FOR_TESTS = """{
	admin off
	default_bind 127.0.0.1
	skip_install_trust
	auto_https disable_redirects
}
"""


@contextmanager
def running(*command: str | Path, folder: Path, **variables: str) -> Iterator[None]:
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [*map(str, command)],
            cwd=folder,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


@contextmanager
def caddy(node: int, scheme: str = "https") -> Iterator[tuple[int, Path]]:
    port = free_port()
    with _folder("licet-caddy-") as folder:
        file = folder / "Caddyfile"
        file.write_text(_FOR_TESTS + (FOLDER / "Caddyfile").read_text())
        variables = {
            "SITE": f"localhost:{port}" if scheme == "https" else f"http://localhost:{port}",
            "NODES": f"127.0.0.1:{node} {DEAD}",
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_CONFIG_HOME": str(folder / "config"),
        }
        validate(found("caddy"), "validate", "--config", FOLDER / "Caddyfile", **variables)
        with running(found("caddy"), "run", "--config", file, folder=folder, **variables):
            yield port, folder / "data" / "caddy" / "pki" / "authorities" / "local" / "root.crt"


@contextmanager
def nginx(node: int, scheme: str = "https") -> Iterator[tuple[int, Path]]:
    port = free_port()
    with _folder("licet-nginx-") as folder:
        create_certificate(folder)
        site = (FOLDER / "nginx.conf").read_text()
        for theirs, ours in {
            "10.0.0.1:8000": f"127.0.0.1:{node}",
            "10.0.0.2:8000": DEAD,
            "listen 443 ": f"listen 127.0.0.1:{port} ",
            " ssl http2;": " ssl http2;" if scheme == "https" else ";",
            "/etc/ssl/licet": str(folder),
            "licenses.example.com": "localhost",
        }.items():
            assert theirs in site
            site = site.replace(theirs, ours)
        (folder / "nginx.conf").write_text(
            f"daemon off;\npid {folder}/pid;\nerror_log stderr;\nuser {server_account().name};\n"
            f"events {{}}\nhttp {{\naccess_log off;\nclient_body_temp_path {folder}/body;\n"
            f"proxy_temp_path {folder}/proxy;\n{site}\n}}\n"
        )
        command = (found("nginx"), "-p", folder, "-c", folder / "nginx.conf")
        validate(*command, "-t")
        with running(*command, folder=folder):
            yield port, folder / "fullchain.pem"


@contextmanager
def haproxy(node: int, scheme: str = "https") -> Iterator[tuple[int, Path]]:
    port = free_port()
    with _folder("licet-haproxy-") as folder:
        create_certificate(folder)
        pair = folder / "licet.pem"
        pair.write_text(
            (folder / "fullchain.pem").read_text() + (folder / "privkey.pem").read_text()
        )
        text, bind = (FOLDER / "haproxy.cfg").read_text(), 'bind "${BIND}"'
        assert bind in text
        if scheme == "https":
            text = text.replace(bind, f"{bind} ssl crt {pair} alpn h2,http/1.1")
        file = folder / "haproxy.cfg"
        file.write_text(text)
        variables = {
            "BIND": f"127.0.0.1:{port}",
            "NODE_ONE": f"127.0.0.1:{node}",
            "NODE_TWO": DEAD,
        }
        with running(found("haproxy"), "-db", "-f", file, folder=folder, **variables):
            yield port, folder / "fullchain.pem"


PROXIES: Mapping[str, Callable[[int, str], Behind]] = {
    "caddy": caddy,
    "haproxy": haproxy,
    "nginx": nginx,
}


@contextmanager
def _folder(prefix: str) -> Iterator[Path]:
    folder = create_folder(prefix)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def validate(*command: str | Path, **variables: str) -> None:
    ended = subprocess.run(
        [*map(str, command)],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def create_certificate(folder: Path) -> None:
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(
        [
            *(found("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")),
            *subject,
        ],
        check=True,
        capture_output=True,
    )
