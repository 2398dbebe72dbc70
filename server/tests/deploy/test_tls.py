"""Requests over TLS, through Caddy and nginx with the files of deploy/, to a real service."""

import os
import shutil
import ssl
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
from deploy.files import FOLDER
from e2e.process import EMAIL, PASSWORD, Service, free_port
from outside_programs import found, required
from patience import PATIENCE_S, eventually
from shared_postgres import create_folder

from licet_server.kit.postgres.account import server_account

DEAD = "127.0.0.1:1"
"""A node that is not there."""


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


def client_of(port: int, authority: Path) -> httpx.Client:
    context = ssl.create_default_context(cafile=authority)
    return httpx.Client(
        base_url=f"https://localhost:{port}", verify=context, trust_env=False, timeout=PATIENCE_S
    )


def check_that_it_serves(port: int, authority: Path) -> None:
    """Sign in over https: the cookie is for https alone, and the caller's address is told."""
    eventually(authority.exists, "there is a certificate")

    def answers() -> bool:
        try:
            with client_of(port, authority) as client:
                return client.get("/health/ready").is_success
        except (httpx.TransportError, ssl.SSLError):
            return False

    eventually(answers, "the proxy passes requests on", 60)
    with client_of(port, authority) as client:
        page = client.get("/").raise_for_status()
        assert "max-age" in page.headers["strict-transport-security"]
        body = {"email": EMAIL, "password": PASSWORD}
        answer = client.post("/api/auth/login", json=body).raise_for_status()
        assert "secure" in answer.headers["set-cookie"].lower()
        client.headers["authorization"] = f"Bearer {answer.json()['accessToken']}"
        for _ in range(20):  # whichever node is chosen, a live one serves
            client.get("/api/products").raise_for_status()


@required("caddy")
def test_caddy(service: Service, tmp_path: Path) -> None:
    caddy = found("caddy")
    port = free_port()
    for_tests = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"
    file = tmp_path / "Caddyfile"
    file.write_text(for_tests + (FOLDER / "Caddyfile").read_text())
    variables = {
        "SITE": f"localhost:{port}",
        "NODES": f"127.0.0.1:{service.port} {DEAD}",
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    validate(caddy, "validate", "--config", FOLDER / "Caddyfile", **variables)
    with running(caddy, "run", "--config", file, folder=tmp_path, **variables):
        check_that_it_serves(
            port, tmp_path / "data" / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        )


@required("nginx", "openssl")
def test_nginx(service: Service) -> None:
    nginx = found("nginx")
    port, folder = free_port(), create_folder("licet-nginx-")
    try:
        create_certificate(folder)
        site = (FOLDER / "nginx.conf").read_text()
        for theirs, ours in {
            "10.0.0.1:8000": f"127.0.0.1:{service.port}",
            "10.0.0.2:8000": DEAD,
            "listen 443 ": f"listen 127.0.0.1:{port} ",
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
        command = (nginx, "-p", folder, "-c", folder / "nginx.conf")
        validate(*command, "-t")
        with running(*command, folder=folder):
            check_that_it_serves(port, folder / "fullchain.pem")
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
    names: Mapping[str, Path] = {
        "-keyout": folder / "privkey.pem",
        "-out": folder / "fullchain.pem",
    }
    files = [str(item) for pair in names.items() for item in pair]
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            *files,
            *subject,
        ],
        check=True,
        capture_output=True,
    )
