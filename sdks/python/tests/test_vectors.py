from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from licet_testkit import FILES, KEYS, RELEASES, VECTORS, VERDICTS, b64u

from licet import (
    ConfigurationError,
    LicenseClient,
    TransportReply,
    TransportRequest,
    UntrustedUpdateError,
)
from licet._clock import parse_rfc3339
from licet._jose import RejectedTokenError, decode_segment, derive_file_key
from licet._keys import check_symbol, is_generated_key, key_hash, normal_form
from licet._public_key import load_public_key
from licet._verdict import VerdictRequest, verdict_result, verify_verdict


def named(cases: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(case, id=case["name"]) for case in cases]


@pytest.mark.parametrize("case", KEYS["valid"], ids=lambda case: repr(case["input"]))
def test_normal_form_of_generated_keys(case: dict[str, str]) -> None:
    assert normal_form(case["input"]) == case["normalForm"]
    assert is_generated_key(case["normalForm"])
    assert key_hash(case["normalForm"]) == case["hash"]


@pytest.mark.parametrize("case", KEYS["checkSymbols"], ids=lambda case: case["payload"])
def test_check_symbol(case: dict[str, str]) -> None:
    assert check_symbol(case["payload"]) == case["check"]


@pytest.mark.parametrize("text", KEYS["invalidCheck"])
def test_a_wrong_check_symbol_is_not_normalized(text: str) -> None:
    assert not is_generated_key(text.replace("-", ""))
    assert normal_form(text) == text


@pytest.mark.parametrize("case", KEYS["imported"], ids=lambda case: case["input"])
def test_imported_keys_are_compared_as_is(case: dict[str, str]) -> None:
    assert normal_form(case["input"]) == case["normalForm"]


@pytest.mark.parametrize("text", KEYS["malformed"])
def test_malformed_keys(text: str) -> None:
    with pytest.raises(ConfigurationError):
        normal_form(text)


@pytest.mark.parametrize("case", json.loads((VECTORS / "derive-key.json").read_text()))
def test_derived_keys(case: dict[str, str]) -> None:
    assert normal_form(case["licenseKey"]) == case["normalForm"]
    assert (
        b64u(derive_file_key(case["normalForm"], decode_segment(case["salt"])))
        == (case["derivedKey"])
    )


@pytest.mark.parametrize("key", ["publicKeyPem", "publicKey"])
@pytest.mark.parametrize("case", named(FILES["cases"]))
def test_files(case: dict[str, Any], key: str, tmp_path: Path) -> None:
    (tmp_path / "license.bin").write_bytes(case["file"].encode())
    client = LicenseClient(
        product_id=case["productId"],
        public_key=FILES[key],
        license_file=tmp_path / "license.bin",
        license_key=case["licenseKey"],
        hardware_id=case["hardwareId"],
        app_version=case["appVersion"],
        grace_period=timedelta(days=case["gracePeriodDays"]),
        clock=lambda: parse_rfc3339(case["at"]),
    )
    with client:
        if case["keptVerdict"] is not None:
            client._core.store.update(lambda state: replace(state, verdict=case["keptVerdict"]))
        result = client.validate_offline()
    assert {"valid": result.valid, "status": result.status} == case["expected"]
    if "entitlements" in case:
        assert result.entitlements == case["entitlements"]
        assert {type(value) for value in result.entitlements.values()} == {
            type(value) for value in case["entitlements"].values()
        }


@pytest.mark.parametrize("case", named(VERDICTS["cases"]))
def test_verdicts(case: dict[str, Any]) -> None:
    request, now = case["request"], parse_rfc3339(case["at"])
    question = VerdictRequest(
        request["productId"],
        normal_form(request["licenseKey"]),
        request["hardwareId"],
        request["nonce"],
    )
    try:
        verdict = verify_verdict(
            case["token"], [load_public_key(VERDICTS["publicKeyPem"])], question, now
        )
    except RejectedTokenError:
        outcome = {"valid": False, "status": "SignatureMismatch"}
    else:
        result = verdict_result(verdict, now=now, request_id=None)
        outcome = {"valid": result.valid, "status": result.status}
    assert outcome == case["expected"]


@pytest.mark.parametrize("case", named(RELEASES["cases"]))
def test_releases(case: dict[str, Any], tmp_path: Path) -> None:
    class Server:
        def send(self, request: TransportRequest) -> TransportReply:
            return TransportReply(200, {}, json.dumps(case["response"]).encode())

        def close(self) -> None: ...

    client = LicenseClient(
        product_id=case["productId"],
        public_keys=[RELEASES["publicKeyPem"]],
        api_key="pk_1",
        server_base_endpoint="https://licenses.example.com/api",
        app_version=case["currentVersion"],
        license_file=tmp_path / "license.bin",
        transport=Server(),
    )
    if case["accepted"]:
        assert client.check_for_update(channel=case["channel"], platform=case["platform"]).available
    else:
        with pytest.raises(UntrustedUpdateError):
            client.check_for_update(channel=case["channel"], platform=case["platform"])


def test_the_vectors_match_the_script() -> None:
    command = [sys.executable, str(VECTORS / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
