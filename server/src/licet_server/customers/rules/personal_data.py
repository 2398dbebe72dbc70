"""The data subject behind a customer: what leads to everything that is stored of them.

IDs and whole addresses lead to them. Their names do not: anybody can be called anything.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from licet_server.kit.emails import is_email
from licet_server.kit.text import ERASED_ADDRESS


class LicensesAfter(StrEnum):
    """What becomes of the licenses of a person who is erased."""

    REVOKE = "Revoke"
    KEEP = "Keep"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account with one of the person's addresses, or one that licenses are issued to."""

    id: UUID
    email: str
    is_verified: bool
    is_system_admin: bool

    @property
    def names(self) -> frozenset[str]:
        """What a license that is issued to the account names, in lower case."""
        return frozenset({self.email.lower(), str(self.id)})


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAs:
    """A customer as they are now, or as events tell of them before: renamed, or merged."""

    id: UUID
    email: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSubject:
    """The data subject behind a customer of an institution.

    `addresses` are in lower case; those that another customer of the institution has now are in
    `claimed` only. `user_ids` are accounts of the person, and `account_ids` those that exist for
    the licenses of this institution alone. `own_addresses` are those that nobody else knows.
    `event_ids` are the events from which the person was erased.
    """

    institution_id: UUID
    customer_ids: frozenset[UUID]
    addresses: frozenset[str]
    claimed: frozenset[str]
    license_ids: frozenset[UUID]
    user_ids: frozenset[UUID] = frozenset()
    account_ids: frozenset[UUID] = frozenset()
    own_addresses: frozenset[str] = frozenset()
    event_ids: tuple[UUID, ...] = ()

    @property
    def subject_ids(self) -> frozenset[UUID]:
        """What events and notifications about the person name as their subject."""
        return self.license_ids | self.customer_ids


def addresses_in(texts: Iterable[str | None]) -> set[str]:
    """Return the email addresses among these texts, in lower case."""
    return {item.lower() for item in texts if item and is_email(item) and item != ERASED_ADDRESS}


def known_as(facts: Mapping[str, Any]) -> list[KnownAs]:
    """Return the customers that the data of an event about a customer tells of."""
    merged = facts.get("merged")
    told = [facts, *([merged] if isinstance(merged, Mapping) else [])]
    return [
        KnownAs(id=UUID(item["id"]), email=item["email"])
        for item in told
        if {"id", "email"} <= item.keys()
    ]


def exists_for(account: Account, license_ids: Iterable[UUID], others: Collection[str]) -> bool:
    """Tell whether an account exists for these licenses of one institution alone.

    `others` are the addresses and users, in lower case, that anybody else knows. An account that is
    older than the licenses came from elsewhere. Nobody has shown whose an unverified one is.
    """
    if account.is_system_admin or not account.is_verified or account.names.intersection(others):
        return False
    # IDs ascend with the time.
    return any(license_id < account.id for license_id in license_ids)
