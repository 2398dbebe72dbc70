"""Invites institutions to products and accepts, as both sides do it through the API."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from catalog.factories import make_keys, make_product
from testkit import Owner

from licet_server.kit import mail
from licet_server.kit.platform import Platform

ACCEPT = "/api/associations/accept"
PREVIEW = "/api/associations/preview"
RECEIVED = "/api/received-licenses"


def path_of(product: dict[str, Any]) -> str:
    return f"/api/products/{product['id']}/associations"


async def tied_product(owner: Owner, name: str = "Tied", **fields: Any) -> dict[str, Any]:
    """A product that is licensed to associated institutions only."""
    product = await make_product(owner, name, accessType="Associated", **fields)
    await make_keys(owner, product)
    return product


async def invite(owner: Owner, product: dict[str, Any], **who: Any) -> dict[str, Any]:
    return dict(await owner.ok("POST", path_of(product), who))


def token_of(invitation: dict[str, Any]) -> str:
    [token] = parse_qs(urlsplit(invitation.get("inviteUrl") or invitation["acceptUrl"]).query)[
        "token"
    ]
    return token


async def accept(customer: Owner, invitation: dict[str, Any], **fields: Any) -> httpx.Response:
    return await customer.send("POST", ACCEPT, {"token": token_of(invitation), **fields})


async def associate(owner: Owner, product: dict[str, Any], customer: Owner) -> dict[str, Any]:
    """An association with the institution of `customer`, as the vendor sees it."""
    invited = await invite(owner, product, email=customer.email)
    answer = await accept(customer, invited, institutionId=customer.institution_id)
    assert answer.status_code == 200, answer.text
    return await one(owner, product, invited)


async def listed(owner: Owner, product: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = await owner.ok("GET", path_of(product), params={"pageSize": 100})
    return {item["id"]: item for item in found["items"]}


async def one(owner: Owner, product: dict[str, Any], item: dict[str, Any]) -> dict[str, Any]:
    return (await listed(owner, product))[item["id"]]


async def remove(owner: Owner, product: dict[str, Any], item: dict[str, Any]) -> httpx.Response:
    return await owner.send("DELETE", f"{path_of(product)}/{item['id']}")


async def emails_to(platform: Platform, address: str) -> list[mail.Mail]:
    async with platform.database.reading() as db:
        waiting = await mail.list_waiting(db, platform.keyring)
    return [item for item in waiting if item.recipient == address]
