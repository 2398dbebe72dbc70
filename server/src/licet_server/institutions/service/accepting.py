"""Acceptance of an invitation: by a new account, or by the account that has the address."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from licet_server.events.rules.changes import differences
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import record_batch
from licet_server.identity import errors
from licet_server.identity.rules.people import Membership, User
from licet_server.identity.service.account_events import tell
from licet_server.identity.service.sessions import Session, open_session
from licet_server.identity.service.sign_up import mail_verification
from licet_server.identity.service.throttling import counted, token_buckets
from licet_server.identity.service.tokens import digest, write_access_token
from licet_server.identity.service.users import create_user
from licet_server.identity.storage.mailed_tokens import delete_tokens
from licet_server.identity.storage.users import (
    fetch_memberships,
    fetch_users_by_email,
    insert_membership,
    mark_verified,
)
from licet_server.institutions.rules.invitations import Invitation, institution_of_invitation
from licet_server.institutions.rules.members import NOTHING, Member
from licet_server.institutions.rules.operators import Operator, Role
from licet_server.institutions.storage import institutions as institution_storage
from licet_server.institutions.storage import invitations as stored
from licet_server.institutions.storage import members
from licet_server.institutions.storage.institutions import fetch_institution
from licet_server.kit.errors import ErrorCode, FieldError, Refused, bad_fields
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What somebody sends to accept; only a new account takes a password and a name."""

    token: str = field(repr=False)
    password: str | None = field(repr=False)
    full_name: str | None
    user_agent: str | None


@dataclass(frozen=True, slots=True)
class Offer:
    """What an invitation offers, to whoever holds its token.

    `email` is `None` where the address has an account: its owner knows it, and others do not.
    """

    institution_name: str
    role: Role
    expires_at: datetime
    email: str | None


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody who was signed in and stays so, with a fresh access token."""

    access_token: str = field(repr=False)
    user: User
    memberships: list[Membership]


async def find_offer(platform: Platform, origin: Origin, token: str) -> Offer:
    """What the invitation of a token offers; nothing changes, and the token stays good.

    Raises:
        Refused: `Unauthorized` for a token that is none; `RateLimited`.
    """
    invitation, account = await _find_invitation(platform, origin, token)
    async with platform.database.reading() as db:
        institution = await fetch_institution(db, invitation.institution_id)
    if institution is None:
        raise errors.dead_link()
    return Offer(
        institution_name=institution.name,
        role=invitation.role,
        expires_at=invitation.expires_at,
        email=invitation.email if account is None else None,
    )


async def accept_as_newcomer(
    platform: Platform, passwords: Passwords, origin: Origin, acceptance: Acceptance
) -> Session:
    """Make an account with the invited address, let it join, and sign it in.

    The mailed token verifies the address; after the one of the link, a letter asks to verify it.

    Raises:
        Refused: `Unauthorized` for a token that is none, and where the address has an account;
            `InvalidRequest` without password or name; `RateLimited`.
    """
    _, account = await _find_invitation(platform, origin, acceptance.token)
    if account is not None:
        raise errors.sign_in_to_accept()
    password, full_name = _require_profile(acceptance)
    password_hash = await passwords.hash(password)
    async with platform.unit_of_work(origin) as work:
        invitation, by_mail = await _hold(work, acceptance.token)
        user = await _create_user(work, invitation, full_name, password_hash, verified=by_mail)
        await _join(work, invitation, user)
        if not by_mail:
            await mail_verification(work, user.id, user.email, platform.settings.address)
        return await open_session(work, user, acceptance.user_agent)


async def accept_as(platform: Platform, origin: Origin, operator: Operator, token: str) -> Joined:
    """Let the operator join, whose address was invited; the mailed token verifies it.

    Raises:
        Refused: `Unauthorized` for a token that is none, `Forbidden` for an invitation of another
            address, `Conflict` for a member, whose role stays; `RateLimited`.
    """
    _, account = await _find_invitation(platform, origin, token)
    if account is None or account.id != operator.user_id:
        raise errors.invited_somebody_else()
    async with platform.unit_of_work(origin) as work:
        invitation, by_mail = await _hold(work, token)
        await _join(work, invitation, account)
        if by_mail and await mark_verified(work.db, account.id, work.now):
            await delete_tokens(work.db, account.id, "EmailVerification")
            await tell(work, EventKind.USER_EMAIL_VERIFIED, account.id, account.email)
            account = replace(account, email_verified=True)
        return Joined(
            write_access_token(work.keyring, work.now, account.id, operator.sign_in_id),
            account,
            await fetch_memberships(work.db, account.id),
        )


async def _find_invitation(
    platform: Platform, origin: Origin, token: str
) -> tuple[Invitation, User | None]:
    """The invitation of a token that is good, and the account that has its address."""
    async with counted(platform, *token_buckets(origin)):
        institution_id = institution_of_invitation(token)
        if institution_id is None:
            raise errors.dead_link()
        async with platform.database.reading() as db:
            found = await stored.fetch_by_token(db, institution_id, digest(token), platform.clock())
            if found is None:
                raise errors.dead_link()
            invitation, _ = found
            accounts = await fetch_users_by_email(db, [invitation.email])
    return invitation, accounts[0] if accounts else None


def _require_profile(acceptance: Acceptance) -> tuple[str, str]:
    password, full_name = acceptance.password, acceptance.full_name
    if password is None or full_name is None:
        raise bad_fields(
            [
                FieldError(name, "is required, since the invited address has no account yet.")
                for name, value in (("password", password), ("fullName", full_name))
                if value is None
            ]
        )
    return password, full_name


async def _hold(work: UnitOfWork, token: str) -> tuple[Invitation, bool]:
    """The invitation, held with its institution; of several who accept exactly one gets it."""
    institution_id = institution_of_invitation(token)
    if institution_id is None:
        raise errors.dead_link()
    if await institution_storage.lock_institution(work.db, institution_id) is None:
        raise errors.dead_link()
    found = await stored.fetch_by_token(work.db, institution_id, digest(token), work.now)
    if found is None:
        raise errors.dead_link()
    return found


async def _create_user(
    work: UnitOfWork, invitation: Invitation, full_name: str, password_hash: str, *, verified: bool
) -> User:
    try:
        return await create_user(
            work,
            email=invitation.email,
            full_name=full_name,
            password_hash=password_hash,
            is_system_admin=False,
            verified=verified,
        )
    except Refused as refused:
        if refused.code is ErrorCode.CONFLICT:  # somebody made one meanwhile
            raise errors.sign_in_to_accept() from None
        raise


async def _join(work: UnitOfWork, invitation: Invitation, user: User) -> None:
    """Make the user a member and use the invitation up."""
    institution_id = invitation.institution_id
    if await members.fetch_role(work.db, institution_id, user.id) is not None:
        raise errors.joined_already()
    await insert_membership(work.db, institution_id, user.id, invitation.role, work.now)
    await members.save_assignments(work.db, institution_id, user.id, NOTHING, invitation.assigned)
    await stored.end_invitation(work.db, replace(invitation, accepted_at=work.now))
    member = Member(
        institution_id=institution_id,
        user_id=user.id,
        email=user.email,
        full_name=user.full_name,
        totp_enabled=user.totp_enabled,
        role=invitation.role,
        assigned=invitation.assigned,
        joined_at=work.now,
    )
    await _record(work, invitation, member)


async def _record(work: UnitOfWork, invitation: Invitation, member: Member) -> None:
    event = Event(
        EventKind.MEMBER_JOINED,
        member.institution_id,
        member.user_id,
        {**member.facts(), "invitationId": invitation.id},
        changes=differences({}, member.facts()),
    )
    origin = replace(
        work.origin, actor_kind="User", actor_id=member.user_id, actor_name=member.email
    )
    await record_batch(work.db, [(event, origin)], work.now)
