"""Servers that hang, drip, break off, lie about where they are, or are not there."""

from __future__ import annotations

import json
import re
from typing import Any

from conformance.requirements import proves
from conformance.vectors import expect
from conformance.world import World

VALIDATE = "/licenses/validate"
SAID = "This device was blocked on Monday."


@proves("LIC-NET-006")
def check_a_redirect_is_not_followed(world: World) -> None:
    client = world.client(world.issue())
    for status in (301, 302, 307, 308):
        world.clear_log()
        target = f"{world.config()['serverBaseEndpoint']}/elsewhere"
        world.fault(VALIDATE, status=status, headers={"Location": target})
        world.driver.error("validate_online", client=client)
        followed = world.requests("/elsewhere", "/api/elsewhere")
        assert followed == [], f"the redirect {status} was followed"


@proves("LIC-NET-007")
def check_a_silent_server(world: World) -> None:
    client = world.client(world.issue(), timeoutSeconds=0.4)
    world.fault(VALIDATE, times=9, delaySeconds=4)
    expect(world.driver.error("validate_online", client=client), {"code": "ServerTimeout"})


@proves("LIC-NET-012")
def check_a_silent_connection(world: World) -> None:
    client = world.client(world.issue(), timeoutSeconds=8)
    world.fault(VALIDATE, times=2, delaySeconds=30)
    result = world.driver.call("validate_online", client=client)
    expect(result, {"status": "Valid"})


@proves("LIC-NET-013")
def check_messages_for_users(world: World) -> None:
    license_ = world.issue()
    client = world.client(license_, timeoutSeconds=0.7)
    faults: dict[str, dict[str, Any]] = {
        "silent": {"delaySeconds": 4},
        "lost": {"dropped": True},
        "portal": {"status": 302, "headers": {"Location": "https://login.example"}},
        "foreign": {"status": 404, "body": "{}"},
    }
    for case, fault in faults.items():
        world.fault(VALIDATE, times=9, **fault)
        require_readable(world.driver.error("validate_online", client=client, case=case))
        world.control("DELETE", "/faults")
    away = world.client(license_, serverBaseEndpoint="http://127.0.0.1:9/api")
    require_readable(world.driver.error("validate_online", client=away, case="refused"))
    stranger = world.client(license_, productApiKey="pk_no_such_key")
    require_readable(world.driver.error("validate_online", client=stranger, case="key"))
    said = {"status": 403, "body": json.dumps({"errorCode": "DeviceBlocked", "detail": SAID})}
    world.fault(VALIDATE, **said)
    error = world.driver.error("validate_online", client=client, case="sentence")
    expect(error, {"code": "DeviceBlocked", "message": SAID})


def require_readable(error: dict[str, Any]) -> None:
    """Require a message without names of settings or fractions, and a hint."""
    names = re.findall(r"[A-Za-z]+[a-z][A-Z][A-Za-z]+|[A-Z]+_[A-Z_]+|\d\.\d", error["message"])
    assert not names, f"the message says {names}"
    assert error["hint"], "the hint is missing"


@proves("LIC-NET-008")
def check_a_dripping_server(world: World) -> None:
    client = world.client(world.issue(), timeoutSeconds=0.4)
    world.fault(VALIDATE, times=9, dripSeconds=0.1)
    expect(world.driver.error("validate_online", client=client), {"code": "ServerTimeout"})


@proves("LIC-NET-009")
def check_an_answer_that_breaks_off(world: World) -> None:
    client = world.client(world.issue())
    world.fault(VALIDATE, times=9, cutAfter=100)
    expect(world.driver.error("validate_online", client=client), {"code": "ConnectionLost"})


@proves("LIC-NET-010")
def check_no_server(world: World) -> None:
    license_ = world.issue()
    cases = {
        "http://127.0.0.1:9/api": "ServerRefused",
        "https://licenses.invalid/api": "Dns",
    }
    for address, code in cases.items():
        client = world.client(license_, serverBaseEndpoint=address)
        error = world.driver.error("validate_online", client=client, case=code)
        expect(error, {"code": code})
