"""The published vectors of offline requests and codes, against the rules of the service."""

import json
from base64 import urlsafe_b64decode
from pathlib import Path
from typing import Any

import msgspec
import pytest

from licet_server.devices.rules.signed import DeviceJwk
from licet_server.kit.errors import Refused
from licet_server.offline.rules.codes import (
    Code,
    CodeFault,
    answer_text,
    print_code,
    read_code,
    release_text,
)
from licet_server.offline.rules.requests import AskedRequest, read_asked

FILE = Path(__file__).resolve().parents[3] / "vectors" / "offline_requests.json"
VECTORS = json.loads(FILE.read_text())


def named(case: dict[str, Any]) -> str:
    name: str = case["name"]
    return name


@pytest.mark.parametrize("case", VECTORS["received"], ids=named)
def test_a_request_is_read_as_published(case: dict[str, Any]) -> None:
    try:
        asked = read_asked(case["request"])
    except Refused:
        assert case["refusal"] == "Malformed"
        return
    assert isinstance(asked, AskedRequest)
    is_own = str(asked.product_id) == case["productId"]
    assert case["refusal"] == (None if is_own else "OtherProduct")


@pytest.mark.parametrize("case", VECTORS["mistyped"], ids=named)
def test_the_group_of_a_mistake_is_found_as_published(case: dict[str, Any]) -> None:
    for typed in case["typed"]:
        assert read_code(typed["code"]) == CodeFault(typed["group"])


def test_an_answer_code_is_written_and_signed_as_published() -> None:
    published = VECTORS["answerCode"]
    raw = urlsafe_b64decode(published["bytes"] + "==")
    code = Code(int.from_bytes(raw[1:4], "big"), raw[4:])
    assert print_code(code) == published["code"]
    names = ("product_id", "key_hash", "hardware_id", "jkt", "nonce", "base")
    lines = dict(zip(names, published["lines"][1:-1], strict=True))
    text = answer_text(**lines, end_day=code.number)
    assert text.decode().split("\n") == published["lines"]
    key = msgspec.convert(VECTORS["compactKey"]["publicKey"], DeviceJwk)
    assert key.verifies(text, code.signature)


@pytest.mark.parametrize("case", VECTORS["releaseCodes"], ids=named)
def test_a_release_code_is_taken_as_published(case: dict[str, Any]) -> None:
    code = read_code(case["code"])
    if isinstance(code, CodeFault):
        assert case["refusal"] is not None
        assert case["group"] in {None, code.group}
        return
    key = msgspec.convert(case["publicKey"], DeviceJwk)
    text = release_text(
        product_id=case["productId"],
        key_hash=case["licenseKeyHash"],
        hardware_id=case["hardwareId"],
        jkt=key.jkt,
        file_id=case["file"],
        seq=code.number,
    )
    assert key.verifies(text, code.signature) == (case["refusal"] is None)
    assert case["seq"] in {None, code.number}
