"""``licet offline``: a machine without a network, from its request to its release."""

from __future__ import annotations

import builtins
import json
from pathlib import Path
from typing import Any

import pytest
from licet_testkit import HARDWARE

from licet.cli import main
from licet.testing import FakeServer

DESK = "https://licenses.example.com/o"


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


class Machine:
    """The command line of a machine."""

    def __init__(self, server: FakeServer, folder: Path) -> None:
        self.license = server.issue("Concurrent", seats=1, offline_activation="SelfService")
        self.folder = folder
        (folder / "key.pem").write_text(server.public_key)
        self._options = [
            *("--product-id", server.product_id, "--public-key", str(folder / "key.pem")),
            *("--license-key", self.license.key, "--hardware-id", HARDWARE),
            *("--license-file", str(folder / "license.bin"), "--state-folder", str(folder)),
        ]

    def run(self, action: str, *more: str) -> int:
        return main(["offline", action, *self._options, *more])


@pytest.fixture
def machine(server: FakeServer, tmp_path: Path) -> Machine:
    return Machine(server, tmp_path)


def test_from_the_request_to_the_release(
    machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    request, release = tmp_path / "request", tmp_path / "release"
    assert machine.run("request", str(request)) == 0
    answer = machine.license.answer_offline(request.read_text())
    assert answer.file is not None
    (tmp_path / "answer.bin").write_bytes(answer.file)
    assert machine.run("apply", str(tmp_path / "answer.bin")) == 0
    assert capsys.readouterr().out.startswith("valid: Valid\n")
    assert machine.run("release", str(release)) == 0
    code = capsys.readouterr().err.partition("Release code: ")[2].strip()
    assert machine.license.answer_offline(code).state == "Released"
    assert machine.license.answer_offline(release.read_text()).state == "Released"
    assert machine.license.devices == []
    assert machine.run("apply", str(tmp_path / "answer.bin")) == 2


def test_a_code_is_typed(
    machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "license.bin").write_text(machine.license.base_file())
    assert machine.run("request", "-") == 0
    code = machine.license.answer_offline(capsys.readouterr().out.strip()).code
    assert code is not None
    wrong = f"{'1' if code[0] == '0' else '0'}{code[1:]}"
    assert machine.run("apply", wrong) == 2
    assert "group 1" in capsys.readouterr().err
    assert machine.run("apply", code.lower().replace("-", " ")) == 0


def test_a_qr_code_is_drawn(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert machine.run("request", "--qr", DESK) == 0
    drawn = capsys.readouterr().out
    assert len(drawn.splitlines()) > 40
    assert set(drawn) & set("█▀▄")
    assert not list(machine.folder.glob("*.licetreq"))


def test_without_the_package_for_qr_codes_it_says_how_to_install_it(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    loaded = builtins.__import__

    def without_segno(name: str, *rest: Any) -> Any:
        if name == "segno":
            raise ImportError(name)
        return loaded(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_segno)
    assert machine.run("request", "--qr", DESK) == 2
    assert "licet[qr]" in capsys.readouterr().err


def test_the_doctor_knows_of_a_request_and_of_a_release(
    server: FakeServer, machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = {
        "ProductId": server.product_id,
        "PublicKey": server.public_key,
        "LicenseKey": machine.license.key,
        "LicenseFile": str(tmp_path / "license.bin"),
    }
    (tmp_path / "licet.json").write_text(json.dumps(settings))
    given = ["--settings", str(tmp_path)]
    assert main(["offline", "request", "-", *given]) == 0
    answer = machine.license.answer_offline(capsys.readouterr().out)
    main(["doctor", str(tmp_path)])
    assert "Request 1 (Activate) has no answer yet." in capsys.readouterr().out
    (tmp_path / "answer.bin").write_bytes(answer.file or b"")
    assert main(["offline", "apply", str(tmp_path / "answer.bin"), *given]) == 0
    assert main(["offline", "release", "-", *given]) == 0
    main(["doctor", str(tmp_path)])
    assert "This machine has released its license." in capsys.readouterr().out


def test_a_missing_answer_and_nothing_to_release(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert machine.run("apply", "answer.bin") == 2
    assert "does not exist" in capsys.readouterr().err
    assert machine.run("release") == 2
    assert "nothing to release" in capsys.readouterr().err
