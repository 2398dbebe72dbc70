"""Invitations: made, mailed, shown, resent, revoked.

Each has two tokens. The mailed one is known to nobody but the owner of the address, whose address
it verifies; the other one is handed over as a link by those who may give the role, and does not.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from licet_server.events.rules.changes import differences
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.identity import errors
from licet_server.identity.service.emails import invitation_letter
from licet_server.identity.service.throttling import count, invitation_buckets
from licet_server.identity.service.tokens import digest
from licet_server.identity.storage.users import fetch_user
from licet_server.institutions.rules.invitations import (
    INVITATION_LIFE,
    TOKEN_RANDOM_BYTES,
    Invitation,
    InvitationStatus,
    invitation_token,
)
from licet_server.institutions.rules.members import may_give, require_may_give
from licet_server.institutions.rules.operators import Operator, Role
from licet_server.institutions.service.institutions import require_known
from licet_server.institutions.service.members import Shelf, check_assignments, lock_team
from licet_server.institutions.storage import invitations as stored
from licet_server.institutions.storage import members
from licet_server.institutions.storage.institutions import fetch_institution
from licet_server.kit import mail
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.kit.keyring import Keyring
from licet_server.kit.origin import Origin
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class InvitationDraft:
    """An invitation to be made; its address is in its normal form."""

    email: str
    role: Role
    product_ids: Sequence[UUID]
    release_ids: Sequence[UUID]


@dataclass(frozen=True, slots=True)
class ShownInvitation:
    """An invitation as somebody sees it; the link is for those who may give the role."""

    invitation: Invitation
    status: InvitationStatus
    accept_url: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Tokens:
    """Fresh tokens of an invitation."""

    mailed: str = field(repr=False)
    link: str = field(repr=False)


async def list_invitations(
    platform: Platform, db: Connection, operator: Operator, institution_id: UUID, paging: Paging
) -> Listing[ShownInvitation]:
    """The invitations of an institution, also those that are over.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    operator.authorized(institution_id)
    role = operator.roles[institution_id]
    listing = await stored.list_invitations(db, institution_id, paging)
    return listing.of(lambda invitation: _shown(platform, role, invitation))


async def invite(
    platform: Platform,
    origin: Origin,
    operator: Operator,
    shelf: Shelf,
    institution_id: UUID,
    draft: InvitationDraft,
) -> ShownInvitation:
    """Invite whoever has an address, by mail and by a link; an expired invitation is replaced.

    Raises:
        Refused: `NotFound`, `Forbidden` for a role that the operator may not give or with an
            address of his own that was never verified, `InvalidRequest`, `RateLimited`, `Conflict`
            for a member, or while an invitation of the address is pending.
    """
    await _require_mail(platform, operator, institution_id)
    async with platform.unit_of_work(origin) as work:
        giver = await lock_team(work, operator, institution_id)
        require_may_give(giver, draft.role)
        assigned = await check_assignments(
            work.db, shelf, institution_id, draft.role, draft.product_ids, draft.release_ids
        )
        if await members.is_member(work.db, institution_id, draft.email):
            raise errors.member_already()
        await _replace_expired(work, institution_id, draft.email)
        tokens = _new_tokens(institution_id)
        invitation = _with_link(
            work,
            Invitation(
                institution_id=institution_id,
                id=work.new_id(),
                email=draft.email,
                role=draft.role,
                assigned=assigned,
                created_at=work.now,
                expires_at=work.now + INVITATION_LIFE,
            ),
            tokens,
        )
        await stored.insert_invitation(
            work.db, invitation, digest(tokens.mailed), digest(tokens.link)
        )
        await _record(
            work, EventKind.MEMBER_INVITED, invitation, differences({}, invitation.facts())
        )
        await _mail(platform, work, operator, invitation, tokens)
    return _shown(platform, giver, invitation)


async def resend(
    platform: Platform,
    origin: Origin,
    operator: Operator,
    institution_id: UUID,
    invitation_id: UUID,
) -> ShownInvitation:
    """Mail a pending or expired invitation again, with new tokens and a new term.

    Raises:
        Refused: `NotFound`, `Forbidden`, `RateLimited`, `Conflict` for one that is over.
    """
    await _require_mail(platform, operator, institution_id)
    async with platform.unit_of_work(origin) as work:
        giver, current = await _hold(work, operator, institution_id, invitation_id)
        if current.accepted_at is not None or current.revoked_at is not None:
            raise errors.invitation_over()
        tokens = _new_tokens(institution_id)
        expires_at = work.now + INVITATION_LIFE
        renewed = _with_link(work, replace(current, expires_at=expires_at), tokens)
        await stored.renew_invitation(work.db, renewed, digest(tokens.mailed), digest(tokens.link))
        changes = differences(current.facts(), renewed.facts())
        await _record(work, EventKind.INVITATION_RESENT, renewed, changes)
        await _mail(platform, work, operator, renewed, tokens)
    return _shown(platform, giver, renewed)


async def revoke_invitation(
    work: UnitOfWork, operator: Operator, institution_id: UUID, invitation_id: UUID
) -> None:
    """Take an invitation back; once more changes nothing.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` for an accepted one.
    """
    _, current = await _hold(work, operator, institution_id, invitation_id)
    if current.accepted_at is not None:
        raise errors.invitation_accepted()
    if current.revoked_at is None:
        await _revoke(work, current)


async def _require_mail(platform: Platform, operator: Operator, institution_id: UUID) -> None:
    """Check that he may have mail sent in the institution's name, and count it.

    Raises:
        Refused: `NotFound`, `Forbidden`, `RateLimited`.
    """
    operator.authorized(institution_id)
    async with platform.database.reading() as db:
        await require_known(db, operator, institution_id)
    await count(platform, *invitation_buckets(institution_id))


async def _hold(
    work: UnitOfWork, operator: Operator, institution_id: UUID, invitation_id: UUID
) -> tuple[Role, Invitation]:
    giver = await lock_team(work, operator, institution_id)
    invitation = await stored.fetch_invitation(work.db, institution_id, invitation_id)
    if invitation is None:
        raise not_found("invitation")
    require_may_give(giver, invitation.role)
    return giver, invitation


async def _replace_expired(work: UnitOfWork, institution_id: UUID, email: str) -> None:
    found = await stored.fetch_open(work.db, institution_id, email)
    if found is None:
        return
    if found.status(work.now) is InvitationStatus.PENDING:
        raise errors.invited_already()
    await _revoke(work, found)


async def _revoke(work: UnitOfWork, invitation: Invitation) -> None:
    await stored.end_invitation(work.db, replace(invitation, revoked_at=work.now))
    await _record(work, EventKind.INVITATION_REVOKED, invitation, {"revokedAt": [None, work.now]})


def _new_tokens(institution_id: UUID) -> _Tokens:
    mailed, link = (
        invitation_token(institution_id, secrets.token_bytes(TOKEN_RANDOM_BYTES)) for _ in range(2)
    )
    return _Tokens(mailed, link)


def _with_link(work: UnitOfWork, invitation: Invitation, tokens: _Tokens) -> Invitation:
    sealed = work.keyring.seal(tokens.link.encode(), _place(invitation))
    return replace(invitation, sealed_link=sealed)


def _place(invitation: Invitation) -> str:
    return f"invitations.link_token:{invitation.id}"


def _shown(platform: Platform, giver: Role, invitation: Invitation) -> ShownInvitation:
    status = invitation.status(platform.clock())
    url = None
    if status is InvitationStatus.PENDING and may_give(giver, invitation.role):
        url = _accept_url(platform.keyring, platform.settings.address, invitation)
    return ShownInvitation(invitation, status, url)


def _accept_url(keyring: Keyring, address: str, invitation: Invitation) -> str | None:
    if invitation.sealed_link is None:
        return None
    token = keyring.open(invitation.sealed_link, _place(invitation)).decode()
    return f"{address}/accept-invitation?token={token}"


async def _mail(
    platform: Platform,
    work: UnitOfWork,
    operator: Operator,
    invitation: Invitation,
    tokens: _Tokens,
) -> None:
    inviter = await fetch_user(work.db, operator.user_id)
    institution = await fetch_institution(work.db, invitation.institution_id)
    if inviter is None or institution is None:
        raise operator.unseen("institution")
    letter = invitation_letter(
        invitation.email,
        platform.settings.address,
        tokens.mailed,
        inviter=inviter,
        institution_name=institution.name,
    )
    await mail.write(work, letter)


async def _record(
    work: UnitOfWork, kind: EventKind, invitation: Invitation, changes: dict[str, object]
) -> None:
    await record_event(
        work,
        kind,
        institution_id=invitation.institution_id,
        subject_id=invitation.id,
        data=invitation.facts(),
        changes=changes,
    )
