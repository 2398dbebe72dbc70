"""``python -m conformance``, and drivers that break the protocol."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from conformance.__main__ import main
from conformance.driver import DriverFailedError, DriverProcess

HELLO = {"protocol": 1, "sdk": "x", "language": "X", "version": "1", "capabilities": ["keys"]}
PYTHON = f"{sys.executable} -m conformance.drivers.python"


def driver(folder: Path, body: str, hello: object = HELLO) -> str:
    """The command of a driver that greets and then runs this code."""
    script = folder / "driver.py"
    lines = ["import json, sys", f"print({json.dumps(json.dumps(hello))}, flush=True)", body]
    script.write_text("\n".join(lines))
    return f"{sys.executable} {script}"


def test_it_prints_a_table_and_writes_the_outcome(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = tmp_path / "outcome.json"
    arguments = ["--driver", PYTHON, "--only", "LIC-KEY-*", "--json", str(outcome)]
    assert main(arguments) == 0
    assert "Python licet" in capsys.readouterr().out
    assert set(json.loads(outcome.read_text())["requirements"].values()) == {"passed"}


def test_a_failure_gives_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = "json.dumps({'id': json.loads(line)['id'], 'ok': {}})"
    body = f"for line in sys.stdin: print({answer}, flush=True)"
    assert main(["--driver", driver(tmp_path, body), "--only", "LIC-KEY-001"]) == 1
    assert "failed   LIC-KEY-001" in capsys.readouterr().out


def test_what_a_driver_cannot_do_is_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = driver(tmp_path, "sys.stdin.read()")
    assert main(["--driver", command, "--only", "LIC-OFF-001"]) == 0
    assert "skipped  LIC-OFF-001" in capsys.readouterr().out


def test_an_unknown_requirement_gives_status_2() -> None:
    assert main(["--driver", "true", "--only", "LIC-NOT-*"]) == 2


@pytest.mark.parametrize(
    "body",
    [
        "sys.exit(3)",
        "sys.stdin.readline(); print('no JSON', flush=True)",
        "sys.stdin.readline(); print('{}', flush=True)",
        'sys.stdin.readline(); print(\'{"id": 7, "ok": {}}\', flush=True)',
    ],
)
def test_a_driver_that_breaks_the_protocol(tmp_path: Path, body: str) -> None:
    process = DriverProcess(driver(tmp_path, body))
    with pytest.raises(DriverFailedError):
        process.call("normal_form", {})
    process.kill()


def test_a_driver_of_another_protocol(tmp_path: Path) -> None:
    with pytest.raises(DriverFailedError, match="protocol 1"):
        DriverProcess(driver(tmp_path, "sys.stdin.read()", {**HELLO, "protocol": 2}))
