"""Companies that a product is licensed to: each has an institution, whose Owner accepts."""

import secrets
from dataclasses import dataclass

from licet_server.demo.client import DemoClient


@dataclass(frozen=True, slots=True)
class Company:
    """A customer with an institution of its own, and who is its Owner."""

    name: str
    owner: str
    email: str


async def associate(client: DemoClient, product_id: str, company: Company) -> str:
    """Found a company, hand it over to its Owner, who accepts the product; return its ID.

    The vendor, who signed in just now, belongs to it no longer.
    """
    institution_id: str = (await client.send("POST", "/api/institutions", {"name": company.name}))[
        "id"
    ]
    path = f"/api/institutions/{institution_id}"
    body = {"email": company.email, "role": "Owner"}
    invited = await client.send("POST", f"{path}/invitations", body)
    offered = await client.send(
        "POST", f"/api/products/{product_id}/associations", {"email": company.email}
    )
    async with client.visitor() as owner:
        accept = {
            "token": invited["acceptUrl"].rpartition("=")[2],
            "password": secrets.token_urlsafe(9),
            "fullName": company.owner,
        }
        owner.sign_in(await owner.send("POST", "/api/auth/accept-invitation", accept))
        await owner.send(
            "POST",
            "/api/associations/accept",
            {"token": offered["inviteUrl"].rpartition("=")[2], "institutionId": institution_id},
        )
    me = await client.send("GET", "/api/auth/me")
    await client.send("DELETE", f"{path}/members/{me['id']}")
    return institution_id
