"""`serve`: the first start, several workers, the end, and starts that cannot work."""

import re
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from e2e.process import ADMIN, Service, eventually, lives, run

NewService = Callable[..., Service]


def test_the_first_start_prints_a_setup_token(new_service: NewService) -> None:
    service = new_service()
    service.start()
    said = service.output()
    assert f"Licet runs at {service.address}" in said
    token = re.search(r"^  ([\w-]{20,})$", said, re.MULTILINE)
    assert token, said
    body = {
        "setupToken": token[1],
        "email": "ada@example.com",
        "password": "a long enough password",
        "fullName": "Ada",
        "institutionName": "Aurora",
    }
    with service.client() as client:
        wrong = client.post("/api/auth/setup", json={**body, "setupToken": token[1][::-1]})
        assert wrong.status_code == 401
        made = client.post("/api/auth/setup", json=body)
        assert made.status_code == 201, made.text
        again = client.post("/api/auth/setup", json={**body, "email": "eve@example.com"})
        assert again.status_code in {401, 409}
    with service.sign_in("ada@example.com") as owner:
        me = owner.get("/api/auth/me").json()
    assert (me["isSystemAdmin"], me["memberships"][0]["role"]) == (True, "Owner")
    assert service.stop() == 0
    service.start()
    assert token[1] not in service.output()
    assert "setup" not in service.output()


def test_the_named_owner_signs_in_and_sigterm_leaves_nothing(new_service: NewService) -> None:
    service = new_service(**ADMIN)
    service.start()
    assert "setup" not in service.output()
    with service.sign_in() as owner:
        [membership] = owner.get("/api/auth/me").json()["memberships"]
    assert membership["role"] == "Owner"
    database = service.postmaster()
    assert lives(database)
    assert service.stop() == 0
    assert not lives(database)
    assert "Traceback" not in service.output()


def test_ctrl_c_ends_it_as_well(new_service: NewService) -> None:
    service = new_service(**ADMIN)
    service.start()
    database = service.postmaster()
    assert service.send(signal.SIGINT) in {0, 130}
    assert not lives(database)
    assert "Traceback" not in service.output()


def _requests_counted(client: httpx.Client) -> float:
    """How many answers of the liveness route the metrics show."""
    found = re.findall(
        r'^licet_http_requests_total\{.*route="/health/live".*\} ([\d.e+]+)$',
        client.get("/metrics").raise_for_status().text,
        re.MULTILINE,
    )
    return sum(map(float, found))


def _children(pid: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return [int(line) for line in listed.stdout.split() if int(line) != 0]


def test_two_workers_share_the_port_and_the_metrics(new_service: NewService) -> None:
    service = new_service(**ADMIN)
    service.start("--workers", 2)
    before = _counted(service)
    for _ in range(60):  # a connection each, so that both workers get some
        with service.client() as client:
            client.get("/health/live").raise_for_status()
    for _ in range(10):  # whichever worker answers, it tells of both
        assert _counted(service) == before + 60
    with service.sign_in() as owner:
        assert owner.get("/api/products").json()["totalCount"] == 0
    assert service.stop() == 0
    service.eventually_without_database()


def _counted(service: Service) -> float:
    with service.client() as client:
        return _requests_counted(client)


def test_workers_end_with_a_killed_parent(new_service: NewService) -> None:
    service = new_service(**ADMIN)
    service.start("--workers", 2)
    assert service.process is not None
    children = _children(service.process.pid)
    assert len(children) >= 3
    service.send(signal.SIGKILL)
    eventually(lambda: not any(map(lives, children)), "workers and database have ended", 15)
    service.start()
    with service.sign_in() as owner:
        assert owner.get("/api/products").is_success


def test_a_taken_port_is_a_sentence(new_service: NewService) -> None:
    service = new_service(**ADMIN)
    with socket.socket() as other:
        other.bind(("127.0.0.1", service.port))
        other.listen()
        ended = run("serve", "--port", service.port, "--data-dir", service.folder)
    assert ended.returncode == 1
    assert f"nobody can listen on 127.0.0.1:{service.port}" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not list(service.folder.iterdir()), "the port is tried before anything is made"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LICET_PORT", "no number"),
        ("LICET_WORKERS", "0"),
        ("LICET_MASTER_KEY", "short"),
        ("LICET_PUBLIC_URL", "ftp://example.com"),
        ("LICET_TRUSTED_PROXIES", "everybody"),
        ("DATABASE_URL", "mysql://localhost/licet"),
        ("LICET_ADMIN_EMAIL", "alone@example.com"),
    ],
)
def test_a_wrong_setting_is_a_sentence_that_names_it(name: str, value: str, tmp_path: Path) -> None:
    ended = run("serve", "--data-dir", tmp_path / "data", **{name: value})
    assert ended.returncode == 1
    # Of the two settings that go together, the one that is missing is named.
    named = "LICET_ADMIN_PASSWORD" if name == "LICET_ADMIN_EMAIL" else name
    assert f"{named} is wrong: " in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("email", "password", "named"),
    [
        ("nobody", "a long enough password", "LICET_ADMIN_EMAIL"),
        ("a@example.com", "short", "LICET_ADMIN_PASSWORD"),
    ],
)
def test_a_wrong_first_owner_is_a_sentence(
    new_service: NewService, email: str, password: str, named: str
) -> None:
    service = new_service(LICET_ADMIN_EMAIL=email, LICET_ADMIN_PASSWORD=password)
    service.begin()
    assert service.process is not None
    assert service.process.wait(60) == 1
    service.process = None
    assert f"{named} is wrong: " in service.output()
    assert "Traceback" not in service.output()
    service.eventually_without_database()


def test_a_wrong_port_option_is_a_sentence(tmp_path: Path) -> None:
    for port in ("99999", "-1"):
        ended = run("serve", f"--port={port}", "--data-dir", tmp_path / "data")
        assert ended.returncode == 1, ended.stderr
        assert "LICET_PORT is wrong" in ended.stderr
        assert "Traceback" not in ended.stderr
    for workers in ("0", "-3"):
        ended = run("serve", f"--workers={workers}", "--data-dir", tmp_path / "data")
        assert ended.returncode == 1, ended.stderr
        assert "LICET_WORKERS is wrong" in ended.stderr
