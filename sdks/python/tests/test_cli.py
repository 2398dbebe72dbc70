from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from licet_testkit import HARDWARE, LICENSE_KEY, NOW, PRODUCT, PUBLIC_KEY, Vendor

from licet._hardware import HardwareId
from licet.cli import main

AT = ["--at", "2026-06-02T00:00:00Z"]


@pytest.fixture
def file(tmp_path: Path, vendor: Vendor) -> Path:
    path = tmp_path / "license.bin"
    path.write_text(vendor.file(activationMode="Offline"))
    (tmp_path / "key.pem").write_text(PUBLIC_KEY)
    return path


def verify(file: Path, *more: str) -> int:
    key = str(file.parent / "key.pem")
    return main(["verify", str(file), "--public-key", key, "--product-id", PRODUCT, *AT, *more])


def test_verify(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(file) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("valid: Valid\n")
    assert "ada@example.com" in printed
    assert LICENSE_KEY not in printed
    assert not list(file.parent.glob("*.state"))


def test_verify_reports_an_invalid_license(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(file, "--at", "2030-01-01T00:00:00Z") == 1
    assert "NOT VALID: Expired" in capsys.readouterr().out
    file.write_text(file.read_text()[:-2] + "AA")
    assert verify(file, "--json") == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["status"] == "SignatureMismatch"
    assert answer["valid"] is False


def test_verify_refuses_a_license_for_tests(
    file: Path, vendor: Vendor, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(vendor.file(activationMode="Offline", test=True))
    assert verify(file) == 1
    refused = capsys.readouterr()
    assert "NOT VALID: TestLicense" in refused.out
    assert "Offline, for tests" in refused.out
    assert "--test-mode" in refused.err
    assert verify(file, "--test-mode", "--json") == 0
    assert json.loads(capsys.readouterr().out)["license"]["test"] is True


def test_verify_protected(file: Path, vendor: Vendor, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(vendor.protect(file.read_text()))
    assert verify(file) == 2
    assert "license key" in capsys.readouterr().err
    assert verify(file, "--license-key", LICENSE_KEY) == 0


def test_verify_with_a_settings_file(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = {"ProductId": PRODUCT, "PublicKey": PUBLIC_KEY}
    (file.parent / "licet.json").write_text(json.dumps(settings))
    assert main(["verify", str(file), "--settings", str(file.parent), *AT, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["license"]["key"] != LICENSE_KEY


def test_verify_for_another_machine(file: Path, vendor: Vendor) -> None:
    claims = {"hardwareIds": [HARDWARE]}
    file.write_text(vendor.file(claims=claims, type="NodeLocked", activationMode="Offline"))
    assert verify(file) == 1
    assert verify(file, "--hardware-id", HARDWARE) == 0


def test_verify_an_online_license(
    file: Path, vendor: Vendor, capsys: pytest.CaptureFixture[str]
) -> None:
    """As an application does on a machine where the server has not confirmed the license."""
    file.write_text(vendor.file(features=["export", "projects"], entitlements={"projects": 5}))
    assert verify(file) == 1
    printed = capsys.readouterr().out
    assert "NOT VALID: OnlineRequired" in printed
    assert "Features:   export, projects=5" in printed
    assert verify(file, "--json") == 1
    assert json.loads(capsys.readouterr().out)["license"]["entitlements"] == {"projects": 5}


def test_inspect(file: Path, vendor: Vendor, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(file)]) == 0
    out, err = capsys.readouterr()
    shown = json.loads(out)
    assert shown["verified"] is False
    assert shown["claims"]["aud"] == PRODUCT
    assert LICENSE_KEY not in out
    assert "Not verified" in err
    assert main(["inspect", str(file), "--show-key"]) == 0
    assert LICENSE_KEY in capsys.readouterr().out
    file.write_text(vendor.protect(file.read_text()))
    assert main(["inspect", str(file)]) == 2
    assert main(["inspect", str(file), "--license-key", LICENSE_KEY]) == 0
    capsys.readouterr()
    assert main(["inspect", str(file), "--license-key", "another-long-key-0000"]) == 2
    assert "encrypted for another license key" in capsys.readouterr().err


def test_fingerprint(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fingerprint", "--product-id", PRODUCT]) == 0
    shown = capsys.readouterr().out.strip()
    assert shown.startswith("h1")
    assert main(["fingerprint", "--product-id", PRODUCT, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hardwareId"] == shown
    assert main(["fingerprint"]) == 2


def test_errors_are_readable_messages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(tmp_path / "none.bin")]) == 2
    assert "does not exist" in capsys.readouterr().err
    (tmp_path / "x").write_text("hello")
    assert main(["inspect", str(tmp_path / "x")]) == 2
    assert "is not a license file" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        main(["verify", "x", "--at", "yesterday"])
    assert caught.value.code == 2


def test_runs_as_a_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "licet.cli", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("licet ")


# doctor


def doctor(folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    status = main(["doctor", str(folder), *more])
    return status, capsys.readouterr().out


def test_doctor_warns_of_a_key_that_only_the_settings_file_names(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = {"ProductId": PRODUCT, "PublicKey": PUBLIC_KEY, "GracePeriodDays": 40}
    (file.parent / "licet.json").write_text(json.dumps(settings))
    status, printed = doctor(file.parent, capsys)
    assert status == 1
    assert "warning:  trust: The public key comes from licet.json" in printed
    assert "extends the grace period to 40 days" in printed
    named = ["--public-key", str(file.parent / "key.pem")]
    assert "public key comes" not in doctor(file.parent, capsys, *named)[1]


def test_doctor_finds_nothing_where_all_is_in_order(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("licet._config.system_clock", lambda: NOW)
    monkeypatch.setattr("licet._core.find_hardware_id", lambda *_, **__: HardwareId("h1m-1", "m"))
    named = ["--product-id", PRODUCT, "--public-key", str(file.parent / "key.pem"), "--json"]
    status, printed = doctor(file.parent, capsys, *named)
    assert {item["level"] for item in json.loads(printed)} == {"ok"}, printed
    assert status == 0
    file.write_text("edited")
    status, printed = doctor(file.parent, capsys, *named)
    assert status == 1
    assert "SignatureMismatch" in printed


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("{", "not valid JSON"),
        ("{}", "ProductId is missing"),
        ('{"ProductId": "p", "PublicKey": "x"}', "neither PEM nor Base64"),
        (
            json.dumps(
                {
                    "ProductId": PRODUCT,
                    "PublicKey": PUBLIC_KEY,
                    "ServerBaseEndpoint": "http://far.example.com/api",
                }
            ),
            "must use https",
        ),
    ],
)
def test_doctor_names_what_is_wrong(
    settings: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "licet.json").write_text(settings)
    status, printed = doctor(tmp_path, capsys)
    assert status == 1
    assert words in printed
    assert "problem: " in printed


def test_a_reader_that_has_seen_enough(file: Path) -> None:
    command = [sys.executable, "-m", "licet.cli", "inspect", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
