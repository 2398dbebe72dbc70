"""Correctly signed tokens with invalid claims: rejected, without a crash or extra rights."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from licet_testkit import HARDWARE, LICENSE_KEY, NOW, PRODUCT, PUBLIC_KEY, Vendor, is_long, normal

from licet._jose import RejectedTokenError
from licet._offline import verify_text
from licet._public_key import load_public_key
from licet._verdict import VerdictRequest, verdict_result, verify_verdict

VENDOR = Vendor()
KEY = load_public_key(PUBLIC_KEY)
QUESTION = VerdictRequest(PRODUCT, normal(LICENSE_KEY), HARDWARE, "nonce-of-this-test")
REQUEST_BODY = {"licenseKey": normal(LICENSE_KEY), "hardwareId": HARDWARE, "nonce": QUESTION.nonce}
OPTIONS = {"product_id": PRODUCT, "public_key": PUBLIC_KEY, "hardware_id": HARDWARE}

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
)


def claims_of(token: str) -> dict[str, Any]:
    payload = token.split(".")[1]
    return dict(json.loads(urlsafe_b64decode(payload + "=" * (-len(payload) % 4))))


FILE = claims_of(VENDOR.file(activationMode="Offline"))
VERDICT = claims_of(VENDOR.verdict(REQUEST_BODY, NOW))


DRIFT_SECONDS = 300


def changed(claims: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    if name.startswith("license."):
        return {**claims, "license": {**claims["license"], name[8:]: value}}
    return {**claims, name: value}


names_in_file = st.sampled_from(
    [*FILE, "exp", "hardwareIds", *(f"license.{n}" for n in FILE["license"])]
)
names_in_verdict = st.sampled_from([*VERDICT, *(f"license.{n}" for n in VERDICT["license"])])


@settings(max_examples=200 if is_long() else 40, deadline=None)
@given(names_in_file, values)
def test_files(name: str, value: Any) -> None:
    token = VENDOR.sign(changed(FILE, name, value), "license+jwt")
    result = verify_text(token, {**OPTIONS, "clock": lambda: NOW})
    assert result.message
    if name == "aud" and result.valid:
        assert value == FILE[name]
    if name == "iat" and result.valid:  # an older file is as good, one from the future is not
        assert value <= FILE[name] + DRIFT_SECONDS


@settings(max_examples=200 if is_long() else 40, deadline=None)
@given(names_in_verdict, values)
def test_verdicts(name: str, value: Any) -> None:
    token = VENDOR.sign(changed(VERDICT, name, value), "verdict+jwt")
    try:
        verdict = verify_verdict(token, [KEY], QUESTION, NOW)
    except RejectedTokenError:
        return
    assert verdict_result(verdict, now=NOW, request_id=None).message
    if name in {"aud", "nonce", "licenseKeyHash", "hardwareId", "valid"}:
        assert value == VERDICT[name]


@pytest.mark.parametrize("name", ["sub", "iat", "license", "license.type", "license.status"])
@pytest.mark.parametrize("value", [None, "missing", [], True])
def test_required_claims(name: str, value: Any) -> None:
    if value == "missing":
        claims = changed(FILE, name, None)
        del (claims["license"] if "." in name else claims)[name.rsplit(".", 1)[-1]]
    else:
        claims = changed(FILE, name, value)
    token = VENDOR.sign(claims, "license+jwt")
    assert verify_text(token, {**OPTIONS, "clock": lambda: NOW}).status == "SignatureMismatch"
