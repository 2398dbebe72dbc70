"""The checks of offline requests, codes and releases that come from ``offline_requests.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from conformance.proofs import open_device_token
from conformance.vectors import Case, credits_file, expect, load, offline_config
from conformance.world import World

SUFFIX = ".offline"


def kept_in(world: World, product_id: str) -> dict[str, Any]:
    """What a client of a product keeps of its requests."""
    text = world.read(credits_file(world, product_id, SUFFIX))
    assert text, "nothing is kept"
    kept: dict[str, Any] = json.loads(text)
    return kept


def offline_client(case: Case, world: World) -> str:
    """A client whose folder has the files of a case."""
    if case["deviceKey"] is not None:
        (world.folder / "device-key.json").write_text(json.dumps(case["deviceKey"]))
    if case["kept"] is not None:
        credits_file(world, case["productId"], SUFFIX).write_text(case["kept"])
    config = offline_config(world, load("offline_requests"), case)
    if case["deviceName"] is not None:
        config["deviceName"] = case["deviceName"]
    world.driver.call("set_clock", now=case["at"])
    made = world.driver.call("create_client", config={**config, "stateFolder": str(world.folder)})
    client: str = made["client"]
    if case["file"] is not None:
        world.driver.call("install_file", client=client, text=case["file"])
    return client


def opened_request(text: str) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """The header and the claims of a request whose signature is right."""
    assert len(text) <= 2048, f"it has {len(text)} bytes"
    header, claims = open_device_token(text)
    nonce = claims.get("nonce")
    assert isinstance(nonce, str), "it has no nonce"
    assert len(nonce) == 22, f"its nonce is {nonce}"
    return header, claims


def expect_request(text: str, expected: Mapping[str, Any]) -> None:
    header, claims = opened_request(text)
    del claims["nonce"]
    assert header == expected["header"], f"the header is {header}"
    wanted = expected["claims"]
    if "deviceName" not in wanted:
        claims.pop("deviceName", None)  # some SDKs name the computer
    assert claims == wanted, f"the claims are {claims} instead of {wanted}"


def check_sent(case: Case, world: World) -> None:
    client, expected = offline_client(case, world), case["expected"]
    desk = "https://licenses.example.com/o"
    made = world.driver.call("offline_request", client=client, renew=case["renew"], deskUrl=desk)
    if "text" in expected:
        expect(made, {"text": expected["text"]})
    else:
        expect_request(made["text"], expected)
        expect(made, {"kind": expected["claims"]["kind"]})
        kept = kept_in(world, case["productId"])
        assert kept["seq"] == expected["claims"]["seq"], "its number is not kept"
        assert kept["pending"]["text"] == made["text"], "it is not kept"
    expect(made, {"file": made["text"], "qrText": f"{desk}#{made['text']}"})
    again = world.driver.call("offline_request", client=client, deskUrl=desk)
    assert again["text"] == made["text"], "another one when it is asked again"


def check_answer(case: Case, world: World) -> None:
    client, expected = offline_client(case, world), case["expected"]
    before = world.driver.call("stored_file", client=client)["text"]
    if "error" in expected:
        error = world.driver.error("apply_offline_answer", client=client, file=case["answer"])
        expect(error, {"code": expected["error"]})
    else:
        result = world.driver.call("apply_offline_answer", client=client, file=case["answer"])
        expect(result, expected)
        expect(world.driver.call("verify_offline", client=client), expected)
        before = case["answer"]
    after = world.driver.call("stored_file", client=client)["text"]
    assert after == before, "another license.bin is there"


def check_code(case: Case, world: World) -> None:
    client, expected = offline_client(case, world), case["expected"]
    if "error" in expected:
        error = world.driver.error("apply_offline_answer", client=client, code=case["code"])
        expect(error, {"code": expected["error"], "group": expected.get("group")})
        return
    result = world.driver.call("apply_offline_answer", client=client, code=case["code"])
    expect(result, expected)
    expect(world.driver.call("verify_offline", client=client), expected)


def check_mistyped(case: Case, world: World) -> None:
    client = offline_client(case, world)
    for typed in case["typed"]:
        error = world.driver.error("apply_offline_answer", client=client, code=typed["code"])
        expect(error, {"code": "OfflineCode", "group": typed["group"]})


def check_groups(case: Case, world: World) -> None:
    for group in case["typed"]:
        given = {"index": group["index"], "text": group["text"]}
        expect(world.driver.call("check_code_group", **given), {"right": group["right"]})


def check_stored(case: Case, world: World) -> None:
    client = offline_client(case, world)
    for _ in range(2):
        expect(world.driver.call("verify_offline", client=client), case["expected"])


def check_release(case: Case, world: World) -> None:
    client, expected = offline_client(case, world), case["expected"]
    if "error" in expected:
        error = world.driver.error("release_offline", client=client)
        expect(error, {"code": expected["error"]})
        return
    made = world.driver.call("release_offline", client=client)
    kept = kept_in(world, case["productId"])
    assert kept["released"]["text"] == made["text"], "it is not kept"
    if "text" in expected:
        expect(made, {"text": expected["text"], "code": expected["code"]})
    else:
        expect_request(made["text"], expected)
        assert (made["code"] is None) is case.get("withoutCode", False), f"code {made['code']}"
    found = world.driver.call("verify_offline", client=client)
    expect(found, {"status": expected["status"], "valid": False})
    assert world.driver.call("release_offline", client=client) == made, "another one"


GROUPS: tuple[tuple[str, str, str, Any], ...] = (
    ("offline_requests", "sent", "offline:sent-", check_sent),
    ("offline_requests", "answers", "offline:answer-", check_answer),
    ("offline_requests", "codes", "offline:code-", check_code),
    ("offline_requests", "mistyped", "offline:mistyped-", check_mistyped),
    ("offline_requests", "groups", "offline:group-", check_groups),
    ("offline_requests", "stored", "offline:stored-", check_stored),
    ("offline_requests", "releases", "offline:release-", check_release),
)
