"""The person behind a customer: what leads to everything that is stored of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from licet_server.customers.rules.model import Customer
from licet_server.kit.text import ERASED, ERASED_ADDRESS, is_email

SHORTEST_NAME = 3
"""Shorter names are not searched for: they are parts of too many others."""


class LicensesAfter(StrEnum):
    """What becomes of the licenses of a person who is erased."""

    REVOKE = "Revoke"
    KEEP = "Keep"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account with one of the person's addresses."""

    id: UUID
    email: str
    full_name: str
    is_system_admin: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAs:
    """A customer as they are now, or as events tell of them before: renamed, or merged."""

    id: UUID
    name: str
    email: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody as an institution knows them.

    `addresses` are in lower case. `accounts` are those that exist for them alone: without a
    membership, and without licenses of others; `own_addresses` are those of which the same holds.
    `event_ids` are the events from which they were erased.
    """

    institution_id: UUID
    customer_ids: frozenset[UUID]
    names: frozenset[str]
    addresses: frozenset[str]
    license_ids: frozenset[UUID]
    user_ids: frozenset[UUID]
    accounts: tuple[Account, ...] = ()
    own_addresses: frozenset[str] = frozenset()
    event_ids: tuple[UUID, ...] = ()

    @property
    def subject_ids(self) -> frozenset[UUID]:
        """What events and notifications about the person name as their subject."""
        return self.license_ids | self.customer_ids

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts that name the person."""
        names = {*self.names, *(item.full_name for item in self.accounts)}
        return tuple(sorted(self.addresses | searched(names)))


def searched(names: Iterable[str]) -> set[str]:
    """Return the names that are searched for."""
    told = {item.strip() for item in names} - {ERASED}
    return {item for item in told if len(item) >= SHORTEST_NAME}


def addresses_in(texts: Iterable[str | None]) -> set[str]:
    """Return the addresses of persons among these texts, in lower case."""
    return {item.lower() for item in texts if item and is_email(item) and item != ERASED_ADDRESS}


def known_as(facts: Mapping[str, Any]) -> list[KnownAs]:
    """Return the customers that the data of an event about a customer tells of."""
    merged = facts.get("merged")
    told = [facts, *([merged] if isinstance(merged, Mapping) else [])]
    return [
        KnownAs(id=UUID(item["id"]), name=item["name"], email=item["email"])
        for item in told
        if {"id", "name", "email"} <= item.keys()
    ]


def person_of(
    customer: Customer,
    former: Iterable[KnownAs],
    receivers: Mapping[UUID, str | None],
    accounts: Iterable[Account],
) -> Person:
    """Return the person behind a customer; `receivers` are their licenses, by what these name."""
    known = list(accounts)
    before = list(former)
    addresses = [customer.email, *receivers.values()]
    addresses += [item.email for item in known]
    addresses += [item.email for item in before]
    return Person(
        institution_id=customer.institution_id,
        customer_ids=frozenset({customer.id, *(item.id for item in before)}),
        names=frozenset({customer.name, *(item.name for item in before)}),
        addresses=frozenset(addresses_in(addresses)),
        license_ids=frozenset(receivers),
        user_ids=frozenset(item.id for item in known),
    )
