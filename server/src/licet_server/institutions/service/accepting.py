"""Acceptance of invitations, with a new account or that of the invited address."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import differences
from licet_server.events.service.recording import record_event
from licet_server.identity.errors import invalid_link
from licet_server.identity.rules.memberships import Membership, Role, seen_by
from licet_server.identity.rules.users import User
from licet_server.identity.service.hooks import AccountHooks, acting_as, record_own_account_event
from licet_server.identity.service.sessions import UserSession, open_session
from licet_server.identity.service.sign_up import mail_verification
from licet_server.identity.service.throttling import limit_failures, limits_of_emailed_token
from licet_server.identity.service.tokens import digest, write_access_token
from licet_server.identity.service.users import create_user, find_users, mark_email_verified
from licet_server.institutions import errors
from licet_server.institutions.rules.members import (
    NOTHING,
    Invitation,
    Member,
    institution_of_invitation,
)
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.storage import institutions as institution_storage
from licet_server.institutions.storage import invitations as storage
from licet_server.institutions.storage import members
from licet_server.institutions.storage.institutions import fetch_institution
from licet_server.kit.errors import ErrorCode, FieldError, Refused, bad_fields
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """A request to accept an invitation; password and name are for a new account only."""

    token: str = field(repr=False)
    password: str | None = field(repr=False)
    full_name: str | None
    user_agent: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationPreview:
    """The part of an invitation that the holder of a token may know.

    `email` is `None` if the address has an account: its user knows it, and no one else should.
    """

    institution_name: str
    role: Role
    expires_at: datetime
    email: str | None

    @property
    def has_account(self) -> bool:
        """Return whether the invited address has an account."""
        return self.email is None


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedSession:
    """A new access token for a user who was signed in when they joined."""

    access_token: str = field(repr=False)
    user: User
    memberships: Sequence[Membership]


@dataclass(frozen=True, slots=True)
class InvitationAcceptance:
    """Shows and accepts invitations.

    Attempts are counted in transactions of their own, so that refused ones count as well, and no
    transaction is open while a password is hashed.
    """

    platform: Platform
    passwords: Passwords
    hooks: AccountHooks

    async def preview(self, origin: Origin, token: str) -> InvitationPreview:
        """Show the invitation of a token, which stays valid.

        Raises:
            Refused: `Unauthorized` for an invalid token; `RateLimited`.
        """
        invitation, account = await self._find_invitation(origin, token)
        async with self.platform.database.reading() as db:
            institution = await fetch_institution(db, invitation.institution_id)
        if institution is None:
            raise invalid_link()
        return InvitationPreview(
            institution_name=institution.name,
            role=invitation.role,
            expires_at=invitation.expires_at,
            email=invitation.email if account is None else None,
        )

    async def accept_with_new_account(self, origin: Origin, acceptance: Acceptance) -> UserSession:
        """Create an account with the invited address, add it as a member, and sign its user in.

        The e-mailed token verifies the address; after the token of the link, a verification e-mail
        is sent.

        Raises:
            Refused: `Unauthorized` for an invalid token, and if the address has an account;
                `InvalidRequest` without password or name; `RateLimited`.
        """
        _, account = await self._find_invitation(origin, acceptance.token)
        if account is not None:
            raise errors.sign_in_to_accept()
        password, full_name = _require_profile(acceptance)
        password_hash = await self.passwords.hash(password)
        async with self.platform.unit_of_work(origin) as work:
            invitation, by_email = await _lock_invitation(work, acceptance.token)
            user = await _create_user(
                work,
                invitation,
                full_name=full_name,
                password_hash=password_hash,
                verified=by_email,
            )
            await _join(work, invitation, user)
            if not by_email:
                await mail_verification(work, user_id=user.id, email=user.email)
            return await open_session(work, self.hooks, user, acceptance.user_agent)

    async def accept_as(self, origin: Origin, operator: Operator, token: str) -> JoinedSession:
        """Add the operator, whose address was invited; the e-mailed token verifies the address.

        Raises:
            Refused: `Unauthorized` for an invalid token, `Forbidden` for an invitation of another
                address, `Conflict` for a member, whose role stays the same; `RateLimited`.
        """
        _, account = await self._find_invitation(origin, token)
        if account is None or account.id != operator.user_id:
            raise errors.invited_another_address()
        async with self.platform.unit_of_work(origin) as work:
            invitation, by_email = await _lock_invitation(work, token)
            await _join(work, invitation, account)
            if by_email and await mark_email_verified(work, account.id):
                await record_own_account_event(
                    work, self.hooks, EventKind.USER_EMAIL_VERIFIED, account
                )
                account = replace(account, email_verified=True)
            memberships = await self.hooks.list_memberships(work.db, [account.id])
            return JoinedSession(
                access_token=write_access_token(
                    work.keyring, work.now, user_id=account.id, sign_in_id=operator.sign_in_id
                ),
                user=account,
                memberships=seen_by(operator.trust, memberships[account.id]),
            )

    async def _find_invitation(self, origin: Origin, token: str) -> tuple[Invitation, User | None]:
        """Find the pending invitation of a token, and the account of its address."""
        async with limit_failures(self.platform, *limits_of_emailed_token(origin)):
            institution_id = institution_of_invitation(token)
            if institution_id is None:
                raise invalid_link()
            now = self.platform.clock()
            async with self.platform.database.reading() as db:
                found = await storage.fetch_by_token(db, institution_id, digest(token), now)
                if found is None:
                    raise invalid_link()
                invitation, _ = found
                accounts = await find_users(db, [invitation.email])
        return invitation, accounts[0] if accounts else None


def _require_profile(acceptance: Acceptance) -> tuple[str, str]:
    password, full_name = acceptance.password, acceptance.full_name
    if password is None or full_name is None:
        raise bad_fields(
            [
                FieldError(name, "is required, because the invited address has no account yet.")
                for name, value in (("password", password), ("fullName", full_name))
                if value is None
            ]
        )
    return password, full_name


async def _lock_invitation(work: UnitOfWork, token: str) -> tuple[Invitation, bool]:
    """Fetch the invitation, its institution locked, and whether the token was e-mailed.

    Of concurrent callers exactly one gets it.
    """
    institution_id = institution_of_invitation(token)
    if institution_id is None:
        raise invalid_link()
    if await institution_storage.lock_institution(work.db, institution_id) is None:
        raise invalid_link()
    found = await storage.fetch_by_token(work.db, institution_id, digest(token), work.now)
    if found is None:
        raise invalid_link()
    return found


async def _create_user(
    work: UnitOfWork, invitation: Invitation, *, full_name: str, password_hash: str, verified: bool
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
        if refused.code is ErrorCode.CONFLICT:  # the account was created in the meantime
            raise errors.sign_in_to_accept() from None
        raise


async def _join(work: UnitOfWork, invitation: Invitation, user: User) -> None:
    """Add the user as a member and close the invitation."""
    institution_id = invitation.institution_id
    if await members.fetch_role(work.db, institution_id, user.id) is not None:
        raise errors.already_joined()
    member = Member(
        institution_id=institution_id,
        user_id=user.id,
        email=user.email,
        full_name=user.full_name,
        totp_enabled=user.totp_enabled,
        role=invitation.role,
        product_ids=invitation.product_ids,
        release_ids=invitation.release_ids,
        joined_at=work.now,
    )
    await members.insert_membership(
        work.db,
        institution_id=institution_id,
        user_id=user.id,
        role=invitation.role,
        now=work.now,
    )
    await members.save_assignments(work.db, member, before=NOTHING)
    await storage.close_invitation(work.db, replace(invitation, accepted_at=work.now))
    await record_event(
        acting_as(work, user_id=user.id, email=user.email),
        EventKind.MEMBER_JOINED,
        institution_id=institution_id,
        subject_id=user.id,
        data={**member.facts(), "invitationId": invitation.id},
        changes=differences({}, member.facts()),
    )
