"""The service with an invented ninth license model, which is one more row of the table.

`test_ninth_model.py` runs this in a process of its own, since the models of a process are fixed
once they are imported.
"""

import asyncio
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

TABLE = "licet_server.licenses.rules.traits"
ROW = '    CLASSROOM = ("Classroom", ModelTraits(number=8, seat_kind=SeatKind.DEVICE))\n'
END_OF_TABLE = "\n\ndef license_type_of("


def add_row() -> None:
    """Import the table with one more row, before anything else imports it."""
    spec = importlib.util.find_spec(TABLE)
    assert spec is not None
    assert spec.origin is not None
    source = Path(spec.origin).read_text()
    assert source.count(END_OF_TABLE) == 1
    table = sys.modules[TABLE] = ModuleType(TABLE)
    code = compile(source.replace(END_OF_TABLE, ROW + END_OF_TABLE), spec.origin, "exec")
    exec(code, table.__dict__)


async def try_it(given: dict[str, Any]) -> None:
    """Issue, validate, cap, explain, convert to and count licenses of the model, over HTTP."""
    from licenses.factories import FUTURE
    from testkit import FakeClock, Owner, client_of, running, settings_for
    from world import Vendor

    from licet_server.kit.passwords import Passwords

    settings = settings_for(given["url"], Path(given["folder"]))
    async with running(settings, FakeClock(), Passwords()) as application:
        client = client_of(application)
        owner = Owner(client, **given["owner"])
        vendor = Vendor(owner, given["product"], given["key"])

        license_ = await vendor.issue("Classroom", maxActiveUsersCount=2)
        assert (license_["type"], license_["maxActiveUsersCount"]) == ("Classroom", 2)
        by_number = await vendor.issue("Classroom", type=8, maxActiveUsersCount=1)
        assert by_number["type"] == "Classroom"

        verdict = await vendor.validate(license_, "desk-001")
        assert (verdict["status"], verdict["license"]["type"]) == (
            "ActivationRequired",
            "Classroom",
        )
        assert verdict["seat"] == {"kind": "Device", "held": False, "used": 0, "total": 2}

        for machine in ("desk-001", "desk-002"):
            activated = await vendor.activate(license_, machine)
            assert activated.status_code in {200, 201}, activated.text
        full = await vendor.activate(license_, "desk-003")
        assert full.json()["errorCode"] == "MaxActivationsReached"
        assert (full.json()["seatsUsed"], full.json()["seatsTotal"]) == (2, 2)
        assert (await vendor.read(license_))["seatsUsed"] == 2

        explained = await owner.ok(
            "POST", f"/api/licenses/{license_['id']}/explain", {"hardwareId": "desk-001"}
        )
        assert {
            "rule": "Seat",
            "passed": True,
            "detail": "This device holds a seat.",
        } in explained["rules"]
        assert await refusal(vendor, "Classroom") == (
            "Check maxActiveUsersCount: is required for Classroom: 1 to 1,000,000."
        )
        assert await refusal(vendor, "Perpetual", maxActiveUsersCount=2) == (
            "Check maxActiveUsersCount: is for Floating, Concurrent and Classroom only, "
            "not for Perpetual."
        )

        trial = await vendor.issue("Trial", expirationDate=FUTURE)
        body = {"type": "Classroom", "maxActiveUsersCount": 5}
        converted = await owner.ok("POST", f"/api/licenses/{trial['id']}/convert", body)
        assert (converted["type"], converted["maxActiveUsersCount"]) == ("Classroom", 5)

        listed = await owner.ok("GET", "/api/licenses?type=Classroom")
        assert listed["totalCount"] == 3
        figures = await owner.ok("GET", "/api/statistics/licenses")
        assert figures["byType"]["Classroom"] == 3
        await client.aclose()


async def refusal(vendor: Any, model: str, **fields: Any) -> str:
    from licenses.factories import license_body

    body = license_body(vendor.product, model, **fields)
    refused = await vendor.owner.send("POST", "/api/licenses", body)
    assert refused.status_code == 400, refused.text
    return str(refused.json()["detail"])


if __name__ == "__main__":
    add_row()
    asyncio.run(try_it(json.load(sys.stdin)))
