"""Institutions that modules of tests have for themselves in the service that they share."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from itertools import count

from dashboard.vendor import Person, token_in
from e2e.process import Service
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

_numbers = count(1)


def new_owner(service: Service) -> Person:
    """Found an institution, and return its only member: a system Admin with a verified address."""
    number = next(_numbers)
    person = Person(f"owner{number}@example.com", "Owner")
    with service.sign_in() as admin:
        founded = admin.post("/api/institutions", json={"name": f"Licet {number}"})
        place = f"/api/institutions/{founded.raise_for_status().json()['id']}"
        body = {"email": person.email, "role": "Owner"}
        invited = admin.post(f"{place}/invitations", json=body).raise_for_status().json()
        _accept(service, person, token_in(invited["acceptUrl"]))
        members = admin.get(f"{place}/members").raise_for_status().json()["items"]
        [founder] = [one["userId"] for one in members if one["email"] != person.email]
        admin.delete(f"{place}/members/{founder}").raise_for_status()
    execute(
        service,
        "UPDATE users SET is_system_admin = true, email_verified_at = now() WHERE email = :email",
        email=person.email,
    )
    return person


def _accept(service: Service, person: Person, token: str) -> None:
    with service.client() as visitor:
        body = {"token": token, "password": person.password, "fullName": person.name}
        visitor.post("/api/auth/accept-invitation", json=body).raise_for_status()


def execute(service: Service, statement: str, **values: object) -> None:
    """Change the database of a service behind its back."""

    async def change() -> None:
        engine = create_async_engine(service.variables["DATABASE_URL"])
        async with engine.begin() as db:
            await db.execute(text(statement), values)
        await engine.dispose()

    with ThreadPoolExecutor(1) as another:  # Playwright's own loop runs in this thread
        another.submit(asyncio.run, change()).result()
