"""`serve`: the first start, the next one, their ends, and starts that cannot work."""

import re
import signal
import socket
from pathlib import Path

import pytest
from e2e.process import ADMIN, NewService, children_of, lives, run, workers_of
from patience import PATIENCE_S, eventually


def test_the_first_start_prints_a_setup_token(new_installation: NewService) -> None:
    service = new_installation()
    service.start()
    said = service.output()
    assert f"Licet is running at {service.address}" in said
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
    database = service.postmaster()
    assert service.send(signal.SIGINT) in {0, 130}, "Ctrl-C"
    assert not lives(database)
    assert "Traceback" not in service.output()
    service.start()
    assert token[1] not in service.output()
    assert "setup" not in service.output()
    database = service.postmaster()
    assert lives(database)
    assert service.stop() == 0, "SIGTERM"
    assert not lives(database)
    assert "Traceback" not in service.output()
    service.start("--workers", 2)
    database = service.postmaster()
    assert service.send(signal.SIGHUP) == 0, "a terminal that closes"
    assert not lives(database)
    assert "Traceback" not in service.output()


@pytest.mark.parametrize("workers", [1, 2])
def test_that_it_is_running_is_said_once_clients_can_connect(
    new_installation: NewService, workers: int
) -> None:
    service = new_installation(**ADMIN)
    service.begin("--workers", workers)
    eventually(lambda: "Licet is running" in service.output(), "it is said")
    with socket.create_connection(("127.0.0.1", service.port)):
        pass
    eventually(service.is_ready, "it is ready")


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="there is no /proc")
def test_the_first_owners_password_stays_in_no_environment(new_installation: NewService) -> None:
    service = new_installation(**ADMIN)
    service.start("--workers", 2)
    assert service.process is not None
    pid = service.process.pid
    workers = workers_of(pid)
    assert len(workers) == 2
    for known in (pid, *children_of(pid), *workers):
        environment = Path(f"/proc/{known}/environ").read_bytes()
        assert ADMIN["LICET_ADMIN_PASSWORD"].encode() not in environment
    with service.sign_in():
        pass


def test_a_taken_port_is_a_sentence(new_installation: NewService) -> None:
    service = new_installation(**ADMIN)
    with socket.socket() as other:
        other.bind(("127.0.0.1", service.port))
        other.listen()
        ended = run("serve", "--port", service.port, "--data-dir", service.folder)
    assert ended.returncode == 1
    assert f"listening on 127.0.0.1:{service.port} failed" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not list(service.folder.iterdir()), "the port is tried before anything is made"


def test_wrong_settings_are_sentences_that_name_them(tmp_path: Path) -> None:
    port = "LICET_PORT must be a whole number from 1 to 65535, not "
    for arguments, variables, sentence in (
        ([], {"LICET_WORKERS": "none"}, "LICET_WORKERS must be "),
        (["--port=99999"], {}, f"{port}'99999'."),
        ([], {"LICET_ADMIN_EMAIL": "alone@example.com"}, "LICET_ADMIN_PASSWORD is missing: "),
    ):
        folder = tmp_path / "data"
        ended = run("serve", "--data-dir", folder, *arguments, **variables)
        assert ended.returncode == 1
        assert sentence in ended.stderr
        assert "Traceback" not in ended.stderr
        assert not folder.exists()


def test_a_wrong_first_owner_is_a_sentence(new_installation: NewService) -> None:
    service = new_installation(LICET_ADMIN_EMAIL="a@example.com", LICET_ADMIN_PASSWORD="short")
    service.begin()
    assert service.process is not None
    assert service.process.wait(PATIENCE_S) == 1
    service.process = None
    assert "LICET_ADMIN_PASSWORD must have " in service.output()
    assert "Traceback" not in service.output()
    service.eventually_without_database()
