"""A vendor neither sees nor deletes the account of somebody who came through another vendor."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from applications import ApplicationWith, emptied
from customers.rows import changed, rows_of
from licenses.factories import issue, make_product
from portal.people import EndUser, make_end_user
from testkit import Owner, numbers

from licet_server.app import Application
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform

Past = Callable[[Owner, str], Awaitable[None]]


@pytest.fixture(scope="module")
async def shared_application(application_with: ApplicationWith) -> Application:
    """An application on a database of its own, all of whose rows are compared."""
    return await emptied(await application_with("fresh"))


async def nothing(_vendor: Owner, _email: str) -> None:
    """They have signed up by themselves."""


async def a_license(vendor: Owner, email: str) -> None:
    await issue(vendor, await make_product(vendor), issuedTo=email)


async def a_deleted_license(vendor: Owner, email: str) -> None:
    license_ = await issue(vendor, await make_product(vendor), issuedTo=email)
    await vendor.ok("DELETE", f"/api/licenses/{license_['id']}")


async def customer_of(vendor: Owner, email: str) -> dict[str, Any]:
    found = (await vendor.ok("GET", f"/api/customers?search={email}"))["items"]
    [same] = [item for item in found if item["email"] == email] or [await made(vendor, email)]
    return dict(same)


async def made(vendor: Owner, email: str) -> dict[str, Any]:
    return dict(await vendor.ok("POST", "/api/customers", {"name": "X", "email": email}))


async def a_deleted_customer(vendor: Owner, email: str) -> None:
    await a_deleted_license(vendor, email)
    await vendor.ok("DELETE", f"/api/customers/{(await customer_of(vendor, email))['id']}")


async def a_moved_customer(vendor: Owner, email: str) -> None:
    await a_deleted_license(vendor, email)
    path = f"/api/customers/{(await customer_of(vendor, email))['id']}"
    await vendor.ok("PUT", path, {"email": f"moved.{email}"})


async def a_merged_customer(vendor: Owner, email: str) -> None:
    await a_deleted_license(vendor, email)
    other = await made(vendor, f"kept.{email}")
    path = f"/api/customers/{(await customer_of(vendor, email))['id']}/merge"
    await vendor.ok("POST", path, {"intoId": other["id"]})


async def an_invitation(vendor: Owner, email: str) -> None:
    path = f"/api/institutions/{vendor.institution_id}/invitations"
    await vendor.ok("POST", path, {"email": email, "role": "Viewer"})


PASTS = (
    nothing,
    a_license,
    a_deleted_license,
    a_deleted_customer,
    a_moved_customer,
    a_merged_customer,
    an_invitation,
)


async def before_and_after(vendor: Owner, path: str) -> tuple[dict[str, Any], int]:
    export = await vendor.ok("GET", f"{path}/export")
    erased = await vendor.send("POST", f"{path}/erase", {"licenses": "Keep"})
    return export, erased.status_code


OF_ACCOUNTS = {"users", "signIns", "passkeys", "ssoIdentities"}
"""What an export never names: an empty list would say that there is no account."""


async def grab(vendor: Owner, victim: EndUser, way: str, past: Past, other: Owner) -> str:
    """What a vendor tries who has never sold the victim anything; returns their customer."""
    if way == "issues before":
        await a_license(vendor, victim.email)
    await past(other, victim.email)
    if way == "issues after":
        await a_license(vendor, victim.email)
    return f"/api/customers/{(await customer_of(vendor, victim.email))['id']}"


@pytest.mark.parametrize("way", ["types the address", "issues before", "issues after"])
@pytest.mark.parametrize("past", PASTS)
async def test_an_account_is_neither_exported_nor_deleted(
    owner: Owner,
    stranger: Owner,
    platform: Platform,
    fast_passwords: Passwords,
    client: Any,
    past: Past,
    way: str,
) -> None:
    victim = await make_end_user(platform, client, fast_passwords)
    path = await grab(owner, victim, way, past, stranger)
    nobody = f"/api/customers/{(await made(owner, f'n{next(numbers)}@nobody.example'))['id']}"
    before = await rows_of(platform)
    export, status = await before_and_after(owner, path)
    other, other_status = await before_and_after(owner, nobody)
    assert (export["records"].keys(), status) == (other["records"].keys(), other_status)
    assert not OF_ACCOUNTS & export["records"].keys()
    await victim.sign_in()
    for table, was, left in changed(before, await rows_of(platform)):
        assert was.get("institution_id") == owner.institution_id or table == "licenses", (
            table,
            was,
            left,
        )


async def test_unverified_accounts_stay(
    owner: Owner, platform: Platform, fast_passwords: Passwords, client: Any
) -> None:
    """Whoever has signed up with an address need not be who reads its emails."""
    email = f"later{next(numbers)}@customers.example.com"
    await a_license(owner, email)
    user = await make_end_user(platform, client, fast_passwords, email, verified=False)
    path = f"/api/customers/{(await customer_of(owner, email))['id']}"
    export, status = await before_and_after(owner, path)
    assert (OF_ACCOUNTS & export["records"].keys(), status) == (set(), 200)
    await user.sign_in()


async def test_an_account_of_the_vendors_own_licenses_goes_along(
    owner: Owner, platform: Platform, fast_passwords: Passwords, client: Any
) -> None:
    """The control: a license first, then an account for it, which only its user sees."""
    email = f"own{next(numbers)}@customers.example.com"
    await a_license(owner, email)
    user = await make_end_user(platform, client, fast_passwords, email)
    path = f"/api/customers/{(await customer_of(owner, email))['id']}"
    export, status = await before_and_after(owner, path)
    assert (OF_ACCOUNTS & export["records"].keys(), status) == (set(), 200)
    assert user.user_id not in str(export)
    assert (await user.send("GET", "/api/portal/licenses")).status_code == 401
