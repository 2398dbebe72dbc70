"""Servers that hang, drip, break off, lie about where they are, or are not there."""

from __future__ import annotations

from conformance.requirements import proves
from conformance.vectors import expect
from conformance.world import World

VALIDATE = "/licenses/validate"


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
