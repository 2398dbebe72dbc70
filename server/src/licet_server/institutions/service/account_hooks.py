"""Hooks of identity, implemented for institutions."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import record_events, record_for_instance
from licet_server.identity.rules.memberships import AccountApiKey, Closure, Membership, seen_by
from licet_server.identity.rules.users import Evidence
from licet_server.identity.service.hooks import AccountHooks
from licet_server.institutions.errors import institution_closed
from licet_server.institutions.service.api_keys import revoke_keys_of_account
from licet_server.institutions.service.institutions import (
    create_institution_with_owner,
    default_terms,
)
from licet_server.institutions.storage.api_keys import fetch_keys_of_account
from licet_server.institutions.storage.members import fetch_memberships
from licet_server.kit.database import Connection
from licet_server.kit.settings import Settings
from licet_server.kit.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class InstitutionAccountHooks(AccountHooks):
    """The hooks of identity, implemented for institutions."""

    settings: Settings

    async def list_memberships(
        self, db: Connection, user_ids: Collection[UUID]
    ) -> Mapping[UUID, Sequence[Membership]]:
        return await fetch_memberships(db, user_ids)

    async def record_account_event(
        self,
        work: UnitOfWork,
        kind: EventKind,
        *,
        user_id: UUID,
        email: str,
        within: UUID | None = None,
    ) -> None:
        data = {"id": user_id, "email": email}
        memberships = (await fetch_memberships(work.db, [user_id]))[user_id]
        events = [
            Event(kind, item.institution_id, user_id, data)
            for item in memberships
            if within in {None, item.institution_id}
        ]
        await record_events(work, events)
        if not events and work.origin.of_instance:
            await record_for_instance(work, kind, subject_id=user_id, data=data)

    async def list_api_keys(
        self, db: Connection, user_id: UUID, now: datetime
    ) -> Sequence[AccountApiKey]:
        return [
            AccountApiKey(
                id=key.id,
                name=key.name,
                institution_id=key.institution_id,
                institution_name=institution_name,
                created_at=key.created_at,
                last_used_at=key.last_used_at,
            )
            for key, institution_name in await fetch_keys_of_account(db, user_id, now)
        ]

    async def revoke_api_keys(self, work: UnitOfWork, user_id: UUID) -> None:
        await revoke_keys_of_account(work, user_id)

    async def admit_session(self, db: Connection, user_id: UUID, evidence: Evidence) -> None:
        memberships = (await fetch_memberships(db, [user_id]))[user_id]
        closures = [item.closed for item in seen_by(evidence.trust, memberships)]
        if closures and all(item is Closure.SINGLE_SIGN_ON for item in closures):
            raise institution_closed(Closure.SINGLE_SIGN_ON)

    async def create_first_institution(
        self, work: UnitOfWork, *, owner_id: UUID, name: str
    ) -> None:
        terms = default_terms(self.settings)
        await create_institution_with_owner(work, owner_id=owner_id, name=name, terms=terms)
