"""What end users see: their own licenses of every vendor, and no others."""

import json
import re
from uuid import UUID

import pytest
from catalog.factories import bad_fields, refusal
from licenses.factories import EXAMPLES, FUTURE, issue, make_product
from litestar.handlers import HTTPRouteHandler
from portal.people import LICENSES, EndUser, NewEndUser, new_address
from sqlalchemy import text
from testkit import Owner
from world import World

from licet_server.app import Application
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import EndUser as EndUserAccess
from licet_server.institutions.rules.operators import Grants, Operator
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.web.access import declared_access
from licet_server.licenses.rules.holders import Receiver, receiver_of

SHOWN = {
    "id", "productId", "productName", "releaseVersion", "institutionName", "type", "status",
    "licenseKey", "licenseName", "issuedTo", "issuer", "expirationDate", "maxActiveUsersCount",
    "termDays", "termMonths", "inGraceUntil", "updatesUntil", "fallbackUntil", "inFallback", "test",
    "seatsUsed", "activationMode", "offlineActivation", "features", "entitlements", "meterMode",
    "meterBalance", "lowBalance", "metadata", "renewUrl", "createdAt", "deviceReleasesPerYear",
    "deviceReleasesLeft",
}  # fmt: skip

RENEW = "https://shop.example/renew?from=portal"


async def test_a_license_is_shown_without_internal_data(world: World, user: EndUser) -> None:
    made = await world.issue(
        "Concurrent", issuedTo=user.email, notes="Pays late", metadata={"renewUrl": RENEW}
    )
    await world.activate(made, "machine-1")
    seen = await user.license(made)
    assert set(seen) == SHOWN
    assert "Pays late" not in json.dumps(seen)
    kept = {name: value for name, value in made.items() if name in SHOWN}
    institution = await world.owner.ok("GET", f"/api/institutions/{world.owner.institution_id}")
    assert seen == {
        **kept,
        "institutionName": institution["name"],
        "seatsUsed": 1,
        "lowBalance": False,
        "renewUrl": RENEW,
        "deviceReleasesPerYear": 3,
        "deviceReleasesLeft": 3,
    }
    assert await user.licenses() == [seen]


async def test_a_license_is_renewed_where_it_says_or_else_where_its_vendor_says(
    world: World, user: EndUser
) -> None:
    own = await world.issue("Trial", issuedTo=user.email, metadata={"renewUrl": RENEW})
    other = await world.issue("Trial", issuedTo=user.email, metadata={"renewUrl": "nowhere"})
    assert (await user.license(other))["renewUrl"] is None
    page = "https://shop.example/renew?key={licenseKey}"
    path = f"/api/institutions/{world.owner.institution_id}/appearance"
    await world.owner.ok("PUT", path, {"renewalUrl": page})
    assert (await user.license(own))["renewUrl"] == RENEW
    renewed_at = page.replace("{licenseKey}", other["licenseKey"])
    assert (await user.license(other))["renewUrl"] == renewed_at


@pytest.mark.parametrize("model", sorted(EXAMPLES))
async def test_each_model_is_shown(world: World, user: EndUser, model: str) -> None:
    made = await world.issue(model, issuedTo=user.email)
    [seen] = await user.licenses()
    assert {name: seen[name] for name in SHOWN & set(made)} == {
        name: made[name] for name in SHOWN & set(made)
    }


async def test_a_balance_at_its_threshold_is_low(world: World, user: EndUser) -> None:
    made = await world.issue("MeteredToken", issuedTo=user.email, initialMeterBalance=100)
    shown = []
    for threshold in (None, 99.5, 100):
        path = f"/api/licenses/{made['id']}/meter-settings"
        await world.owner.ok("PUT", path, {"lowBalanceThreshold": threshold})
        shown.append((await user.license(made))["lowBalance"])
    assert shown == [False, False, True]


async def test_licenses_of_all_vendors_are_listed_newest_first(
    world: World, stranger: Owner, user: EndUser
) -> None:
    other = await make_product(stranger, name="Borealis")
    first = await world.issue("Perpetual", issuedTo=user.email)
    world.clock.advance(seconds=1)
    second = await issue(stranger, other, issuedTo=user.email.upper())
    world.clock.advance(seconds=1)
    third = await world.issue("Trial", issuedTo=user.user_id)
    world.clock.advance(seconds=1)
    fourth = await issue(stranger, other, issuedTo=user.user_id.upper())
    made = [first["id"], second["id"], third["id"], fourth["id"]]
    assert [item["id"] for item in await user.licenses()] == made[::-1]
    assert [item["productName"] for item in await user.licenses(sort="createdAt")] == [
        "Aurora", "Borealis", "Aurora", "Borealis",
    ]  # fmt: skip
    page = await user.ok("GET", f"{LICENSES}?page=2&pageSize=3")
    assert [item["id"] for item in page["items"]] == made[:1]
    assert (page["page"], page["pageSize"], page["totalCount"]) == (2, 3, 4)
    walked, after = [], ""
    while after is not None:
        step = await user.ok("GET", f"{LICENSES}?after={after}&pageSize=3")
        walked += [item["id"] for item in step["items"]]
        after = step["nextAfter"]
    assert walked == made
    assert bad_fields(await user.send("GET", f"{LICENSES}?sort=notes")) == ["sort"]
    assert bad_fields(await user.send("GET", f"{LICENSES}?page=200&pageSize=100")) == ["page"]


@pytest.mark.specification("roles.end-user")
async def test_licenses_of_other_users_are_not_found(
    world: World, user: EndUser, new_end_user: NewEndUser
) -> None:
    other = await new_end_user(f"x{user.email}")
    theirs = await world.issue("MeteredCount", issuedTo=other.email)
    device = (await world.activate(theirs, "machine-1")).json()["activationId"]
    nobodys = await world.issue("Perpetual", issuedTo=None)
    assert await user.licenses() == []
    for place in (theirs["id"], nobodys["id"], "01900000-0000-7000-8000-000000000000"):
        for rest in ("", "/activations", "/balance", "/file", "/file?hardwareId=machine-1"):
            answer = await user.send("GET", f"{LICENSES}/{place}{rest}")
            assert refusal(answer) == (404, "NotFound")
            assert answer.json()["detail"] == (
                "There is no such license, or you have no access to it. Check the id."
            )
        answer = await user.send("DELETE", f"{LICENSES}/{place}/activations/{device}")
        assert refusal(answer) == (404, "NotFound")
    assert len(await world.devices(theirs)) == 1
    # They are not issued to the vendor's operator either.
    assert refusal(await world.owner.send("GET", f"{LICENSES}/{theirs['id']}")) == (404, "NotFound")
    assert await other.license(theirs)


async def test_a_license_reissued_to_another_user_is_no_longer_visible(
    world: World, user: EndUser, new_end_user: NewEndUser
) -> None:
    other = await new_end_user()
    made = await world.issue("Perpetual", issuedTo=user.email)
    change = {"issuedTo": other.email}
    await world.owner.ok("PUT", f"/api/licenses/{made['id']}", change)
    assert await user.licenses() == []
    assert [item["id"] for item in await other.licenses()] == [made["id"]]
    await world.owner.ok("DELETE", f"/api/licenses/{made['id']}")
    assert await other.licenses() == []


async def test_the_status_is_current(world: World, user: EndUser) -> None:
    made = await world.issue("Subscription", issuedTo=user.email)

    async def act(action: str) -> str:
        await world.owner.ok("POST", f"/api/licenses/{made['id']}/{action}")
        return str((await user.license(made))["status"])

    assert [await act(action) for action in ("suspend", "reinstate")] == ["Suspended", "Active"]
    world.clock.advance(days=400)
    await user.sign_in()
    assert (await user.license(made))["status"] == "Expired"
    await world.owner.sign_in()
    assert await act("revoke") == "Revoked"
    assert [item["status"] for item in await user.licenses()] == ["Revoked"]


@pytest.mark.specification("roles.end-user")
async def test_the_balance_is_shown_and_cannot_be_changed(world: World, user: EndUser) -> None:
    made = await world.issue("MeteredToken", issuedTo=user.email, initialMeterBalance=7.25)
    place = f"{LICENSES}/{made['id']}/balance"
    assert await user.ok("GET", place) == {
        "licenseId": made["id"], "mode": "Token", "balance": 7.25, "held": 0,
    }  # fmt: skip
    assert (await user.license(made))["meterBalance"] == 7.25
    for method in ("POST", "PUT", "DELETE"):
        assert (await user.send(method, place, {"balance": 9})).status_code == 405
    grant = {"licenseId": made["id"], "amount": 5}
    assert (await user.send("POST", "/api/meter/grant", grant)).status_code in {403, 404}
    other = await world.issue("Perpetual", issuedTo=user.email)
    answer = await user.send("GET", f"{LICENSES}/{other['id']}/balance")
    assert refusal(answer) == (400, "NotMeteredLicense")


def portal_routes(application: Application, license_id: str) -> list[tuple[str, str]]:
    return [
        (method, re.sub(r"{\w+}", license_id, route.path_format))
        for route in application.litestar.routes
        for handler in getattr(route, "route_handlers", [])
        if isinstance(handler, HTTPRouteHandler)
        and isinstance(declared_access(handler), EndUserAccess)
        for method in handler.http_methods - {"OPTIONS"}
    ]  # fmt: skip


async def test_an_unverified_address_gives_no_access(
    world: World, application: Application, new_end_user: NewEndUser
) -> None:
    user = await new_end_user(verified=False)
    idle = await new_end_user(verified=False)
    made = await world.issue("MeteredCount", issuedTo=user.email)
    by_id = await world.issue("Perpetual", issuedTo=user.user_id)
    routes = [item for one in (made, by_id) for item in portal_routes(application, one["id"])]
    assert len(routes) == 30
    for method, path in routes:
        for query in ("", "?page=0"):
            answers = [await caller.send(method, path + query) for caller in (user, idle)]
            assert [refusal(answer) for answer in answers] == [(403, "Forbidden")] * 2, path
            assert "Verify your email address first" in answers[0].json()["detail"]
            assert answers[0].json()["detail"] == answers[1].json()["detail"]
    async with world.platform.database.transaction() as db:
        given = {"email": user.email, "now": world.platform.clock()}
        await db.execute(
            text("UPDATE users SET email_verified_at = :now WHERE email = :email"), given
        )
    assert {item["id"] for item in await user.licenses()} == {made["id"], by_id["id"]}


async def test_an_unverified_user_matches_no_license() -> None:
    """Even if a route forgot to check."""
    somebody = UUID(int=7)
    known, unknown = [
        Operator(
            user_id=somebody,
            email="A@example.com",
            email_verified=verified,
            is_system_admin=False,
            sign_in_id=somebody,
            grants=Grants({}),
            needed=Role.VIEWER,
        )
        for verified in (True, False)
    ]
    assert receiver_of(known) == Receiver(("a@example.com", str(somebody)))
    with pytest.raises(Refused) as caught:
        receiver_of(unknown)
    assert caught.value.code is ErrorCode.FORBIDDEN


async def test_only_signed_in_users_have_access(
    world: World, application: Application, user: EndUser
) -> None:
    made = await world.issue("Perpetual", issuedTo=world.owner.email)
    scopes = ["Licenses.Write", "Activations.Write", "Products.Write", "Releases.Write"]
    key = await world.owner.ok("POST", "/api/api-keys", {"name": "CI", "scopes": scopes})
    credentials = (
        {"authorization": f"Bearer {key['secret']}"}, world.key, {}, {"authorization": "Bearer x"},
    )  # fmt: skip
    expected = [(403, "Forbidden"), *[(401, "Unauthorized")] * 3]
    for method, path in portal_routes(application, made["id"]):
        answers = [await world.owner.client.request(method, path, headers=h) for h in credentials]
        assert [refusal(answer) for answer in answers] == expected, path
    # Operators are users, too: they see licenses that are issued to them.
    assert [item["id"] for item in (await world.owner.ok("GET", LICENSES))["items"]] == [made["id"]]


async def test_a_user_id_must_be_in_canonical_form(world: World, user: EndUser) -> None:
    plain = user.user_id.replace("-", "")
    for odd in (plain, f"{{{user.user_id}}}", f"urn:uuid:{user.user_id}"):
        body = {
            "productId": world.product["id"], "type": "Perpetual", "licenseName": "One",
            "issuedTo": odd,
        }  # fmt: skip
        assert bad_fields(await world.owner.send("POST", "/api/licenses", body)) == ["issuedTo"]


async def test_users_without_an_institution_cause_no_errors(
    application: Application, user: EndUser
) -> None:
    me = await user.ok("GET", "/api/auth/me")
    assert (me["memberships"], me["emailVerified"], me["isSystemAdmin"]) == ([], True, False)
    for path in ("licenses", "products", "institutions", "licenses?search=a&status=Active",
                 "licenses?sort=issuedTo", "licenses?after=", "products?search=a"):  # fmt: skip
        assert (await user.ok("GET", f"/api/{path}"))["items"] == []
    for route in application.litestar.routes:
        path = route.path_format
        if "{" in path or not path.startswith("/api/"):
            continue
        for handler in getattr(route, "route_handlers", []):
            is_endless = handler.media_type == "text/event-stream"
            if "GET" in handler.http_methods and not is_endless:
                answer = await user.send("GET", path)
                assert answer.status_code in {200, 302, 400, 401, 403, 404}, path
    body = {"name": "Mine", "initialVersion": "1.0.0"}
    answer = await user.send("POST", "/api/products", body)
    assert refusal(answer) == (403, "Forbidden")
    assert "do not belong to an institution" in answer.json()["detail"]
    key = {"name": "Mine", "scopes": ["Licenses.Read"]}
    assert refusal(await user.send("POST", "/api/api-keys", key)) == (403, "Forbidden")
    issued = {"productId": user.user_id, "type": "Perpetual", "licenseName": "Mine"}
    assert refusal(await user.send("POST", "/api/licenses", issued)) == (403, "Forbidden")


async def test_an_end_user_cannot_create_an_institution_while_sign_up_is_closed(
    user: EndUser, owner: Owner, admin: Owner
) -> None:
    body = {"name": "A vendor"}
    answer = await user.send("POST", "/api/institutions", body)
    assert refusal(answer) == (403, "Forbidden")
    assert (await user.ok("GET", "/api/institutions"))["items"] == []
    for caller in (owner, admin):
        assert (await caller.ok("POST", "/api/institutions", body))["name"] == "A vendor"


async def test_unusual_addresses_are_compared_exactly(
    world: World, new_end_user: NewEndUser
) -> None:
    address = new_address()
    user = await new_end_user(f"o'neil+%_{address}")
    await world.issue("Perpetual", issuedTo=f"o'neil+xx{address}", expirationDate=FUTURE)
    made = await world.issue("Perpetual", issuedTo=f"O'Neil+%_{address}")
    assert [item["id"] for item in await user.licenses()] == [made["id"]]


@pytest.mark.specification("roles.end-user")
async def test_no_route_of_the_meter_takes_a_change_from_an_end_user(
    world: World, user: EndUser
) -> None:
    made = await world.issue("MeteredCount", issuedTo=user.email, initialMeterBalance=7)
    change = {"licenseId": made["id"], "amount": 5, "reason": "A gift"}
    for action in ("grant", "adjust", "reconcile"):
        answer = await user.send("POST", f"/api/meter/{action}", change)
        assert refusal(answer) == (403, "Forbidden"), action
    settings = {"lowBalanceThreshold": 1}
    answer = await user.send("PUT", f"/api/licenses/{made['id']}/meter-settings", settings)
    assert refusal(answer) == (403, "Forbidden")
    assert (await user.ok("GET", f"{LICENSES}/{made['id']}/balance"))["balance"] == 7
