"""Invitations: creating, emailing, listing, resending, revoking, and accepting them.

Each has two tokens. The emailed one is known only to the user of the address, which it verifies.
The other one is a link to hand over, shown to those who may give the role; it verifies nothing.
Who accepts joins with a new account, or with that of the invited address.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import differences
from licet_server.events.service.recording import Recorder
from licet_server.identity.errors import invalid_link
from licet_server.identity.rules.memberships import Membership, Role, seen_by
from licet_server.identity.rules.users import User
from licet_server.identity.service.hooks import AccountHooks, acting_as, record_own_account_event
from licet_server.identity.service.sessions import UserSession, open_session
from licet_server.identity.service.sign_up import mail_verification
from licet_server.identity.service.throttling import (
    AttemptLimit,
    count_attempt,
    limit_failures,
    limits_of_emailed_token,
)
from licet_server.identity.service.tokens import digest, write_access_token
from licet_server.identity.service.users import (
    create_user,
    fetch_user,
    find_users,
    mark_email_verified,
)
from licet_server.institutions import errors
from licet_server.institutions.rules.members import (
    INVITATION_LIFE,
    NOTHING,
    TOKEN_RANDOM_BYTES,
    Invitation,
    InvitationStatus,
    Member,
    institution_of_invitation,
    invitation_token,
    may_give,
    require_may_give,
)
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.institutions.service.institutions import require_known
from licet_server.institutions.service.members import (
    AssignableCatalog,
    check_assignments,
    lock_members,
    record_member,
)
from licet_server.institutions.storage import institutions as institution_storage
from licet_server.institutions.storage import members as storage
from licet_server.institutions.storage.members import INVITATIONS
from licet_server.kit import limits, mail
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode, FieldError, Refused, bad_fields, not_found
from licet_server.kit.keyring import Keyring
from licet_server.kit.mail import Email
from licet_server.kit.origin import Origin
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.text import quoted, unlinked
from licet_server.kit.unit_of_work import UnitOfWork


def invitation_email(
    email: str, address: str, token: str, *, inviter: User, institution_name: str
) -> Email:
    """Write the email with a token that accepts an invitation; its names are untrusted."""
    who, where = quoted(unlinked(inviter.full_name)), quoted(unlinked(institution_name))
    return Email(
        email,
        "You are invited to Licet",
        (
            f"{who} ({inviter.email}) invites you to join the institution {where}.",
            "Open this link within seven days to accept. It works once:",
            f"{address}/accept-invitation?token={token}",
            f"If the page asks for a code, enter this one: {token}",
            "If you did not expect this, you can ignore this email: you join only if you accept.",
            "Do not forward the link: anyone who opens it could join in your name.",
        ),
    )


INVITATIONS_PER_HOUR = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationDraft:
    """An invitation to be created; its email address is normalized."""

    email: str
    role: Role
    product_ids: Sequence[UUID]
    release_ids: Sequence[UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownInvitation:
    """An invitation as an operator sees it; the link is for those who may give the role."""

    invitation: Invitation
    status: InvitationStatus
    accept_url: str | None = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _InvitationTokens:
    """New tokens of an invitation."""

    mailed: str = field(repr=False)
    link: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Invitations:
    """Lists, creates and resends invitations.

    The number of emails is counted in transactions of their own, so that refused ones count too.
    """

    platform: Platform

    async def list_invitations(
        self,
        db: Connection,
        operator: Operator,
        institution_id: UUID,
        paging: Paging,
        *,
        is_open: bool | None,
    ) -> Listing[ShownInvitation]:
        """List the invitations of an institution: all, those that are open, or the others."""
        operator.authorized(institution_id)
        role = operator.giver(operator.roles[institution_id])
        sees_links = operator.covers(Scope.MEMBERS_WRITE)
        now, address = self.platform.clock(), self.platform.settings.address
        listing = await storage.list_invitations(db, institution_id, paging, is_open=is_open)
        return listing.of(
            lambda invitation: _shown(
                invitation,
                role if sees_links else None,
                now=now,
                keyring=self.platform.keyring,
                address=address,
            )
        )

    async def invite(
        self,
        origin: Origin,
        operator: Operator,
        catalog: AssignableCatalog,
        *,
        institution_id: UUID,
        draft: InvitationDraft,
    ) -> ShownInvitation:
        """Invite the user of an address, by email and by a link; replaces an expired invitation.

        Raises:
            Refused: `NotFound`, `Forbidden` for a role that the operator may not give or if no
                responsible user has a verified address, `StepUpRequired` for an Owner,
                `InvalidRequest`, `RateLimited`, `Conflict` for a member, or while an invitation of
                the address is pending.
        """
        await self._count_email(operator, institution_id)
        async with self.platform.unit_of_work(origin) as work:
            giver = await lock_members(work, operator, institution_id)
            require_may_give(giver, draft.role)
            if draft.role is Role.OWNER:
                operator.require_proof(work.now)
            assigned = await check_assignments(
                work.db,
                catalog,
                institution_id=institution_id,
                role=draft.role,
                product_ids=draft.product_ids,
                release_ids=draft.release_ids,
            )
            if await storage.is_member(work.db, institution_id, draft.email):
                raise errors.already_member()
            await _revoke_expired(work, institution_id, draft.email)
            tokens = _new_tokens(institution_id)
            invitation = _with_link(
                work,
                Invitation(
                    institution_id=institution_id,
                    id=work.new_id(),
                    email=draft.email,
                    role=draft.role,
                    product_ids=assigned.product_ids,
                    release_ids=assigned.release_ids,
                    created_at=work.now,
                    expires_at=work.now + INVITATION_LIFE,
                ),
                tokens,
            )
            await storage.insert_invitation(
                work.db,
                invitation,
                mailed_hash=digest(tokens.mailed),
                link_hash=digest(tokens.link),
            )
            await _EVENTS.created(work, EventKind.MEMBER_INVITED, invitation)
            await _mail(work, operator, invitation, tokens)
        return self._shown(giver, invitation)

    async def resend(
        self,
        origin: Origin,
        operator: Operator,
        *,
        institution_id: UUID,
        invitation_id: UUID,
    ) -> ShownInvitation:
        """Email a pending or expired invitation again, with new tokens and a new term.

        Raises:
            Refused: `StepUpRequired` for an Owner, `NotFound`, `Forbidden`, `RateLimited`,
                `Conflict` for a closed one.
        """
        await self._count_email(operator, institution_id)
        async with self.platform.unit_of_work(origin) as work:
            giver, current = await _lock(work, operator, institution_id, invitation_id)
            if current.accepted_at is not None or current.revoked_at is not None:
                raise errors.invitation_closed()
            if current.role is Role.OWNER:
                operator.require_proof(work.now)
            tokens = _new_tokens(institution_id)
            expires_at = work.now + INVITATION_LIFE
            renewed = _with_link(work, replace(current, expires_at=expires_at), tokens)
            await storage.renew_invitation(
                work.db,
                renewed,
                mailed_hash=digest(tokens.mailed),
                link_hash=digest(tokens.link),
            )
            await _EVENTS.changed(work, EventKind.INVITATION_RESENT, current, renewed)
            await _mail(work, operator, renewed, tokens)
        return self._shown(giver, renewed)

    async def _count_email(self, operator: Operator, institution_id: UUID) -> None:
        """Check that the operator may send email on behalf of the institution, and count it.

        Raises:
            Refused: `NotFound`, `Forbidden`, `RateLimited`.
        """
        operator.authorized(institution_id)
        async with self.platform.database.reading() as db:
            await require_known(db, operator, institution_id)
        name = f"invite:institution:{institution_id}"
        await count_attempt(self.platform, AttemptLimit(name, INVITATIONS_PER_HOUR, limits.HOUR))

    def _shown(self, giver: Role, invitation: Invitation) -> ShownInvitation:
        return _shown(
            invitation,
            giver,
            now=self.platform.clock(),
            keyring=self.platform.keyring,
            address=self.platform.settings.address,
        )


async def revoke_invitation(
    work: UnitOfWork, operator: Operator, institution_id: UUID, invitation_id: UUID
) -> None:
    """Revoke an invitation; repeating it changes nothing.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` for an accepted one.
    """
    _, current = await _lock(work, operator, institution_id, invitation_id)
    if current.accepted_at is not None:
        raise errors.invitation_accepted()
    if current.revoked_at is None:
        await _revoke(work, current)


async def _lock(
    work: UnitOfWork, operator: Operator, institution_id: UUID, invitation_id: UUID
) -> tuple[Role, Invitation]:
    giver = await lock_members(work, operator, institution_id)
    invitation = await INVITATIONS.fetch(work.db, institution_id, invitation_id)
    if invitation is None:
        raise not_found("invitation")
    require_may_give(giver, invitation.role)
    return giver, invitation


async def _revoke_expired(work: UnitOfWork, institution_id: UUID, email: str) -> None:
    found = await storage.fetch_open(work.db, institution_id, email)
    if found is None:
        return
    if found.status(work.now) is InvitationStatus.PENDING:
        raise errors.already_invited()
    await _revoke(work, found)


async def _revoke(work: UnitOfWork, invitation: Invitation) -> None:
    await storage.close_invitation(work.db, replace(invitation, revoked_at=work.now))
    changes = {"revokedAt": [None, work.now]}
    await _EVENTS.happened(work, EventKind.INVITATION_REVOKED, invitation, changes)


def _new_tokens(institution_id: UUID) -> _InvitationTokens:
    mailed, link = (
        invitation_token(institution_id, secrets.token_bytes(TOKEN_RANDOM_BYTES)) for _ in range(2)
    )
    return _InvitationTokens(mailed=mailed, link=link)


def _with_link(work: UnitOfWork, invitation: Invitation, tokens: _InvitationTokens) -> Invitation:
    sealed = work.keyring.seal(tokens.link.encode(), _place(invitation))
    return replace(invitation, link_token=sealed)


def _place(invitation: Invitation) -> str:
    return f"invitations.link_token:{invitation.id}"


def _shown(
    invitation: Invitation, giver: Role | None, *, now: datetime, keyring: Keyring, address: str
) -> ShownInvitation:
    status = invitation.status(now)
    url = None
    if status is InvitationStatus.PENDING and may_give(giver, invitation.role):
        url = _accept_url(keyring, address, invitation)
    return ShownInvitation(invitation=invitation, status=status, accept_url=url)


def _accept_url(keyring: Keyring, address: str, invitation: Invitation) -> str | None:
    sealed = invitation.link_token
    token = None if sealed is None else keyring.reveal(sealed, _place(invitation))
    return None if token is None else f"{address}/accept-invitation?token={token}"


async def _mail(
    work: UnitOfWork, operator: Operator, invitation: Invitation, tokens: _InvitationTokens
) -> None:
    inviter = await fetch_user(work.db, operator.user_id)
    institution = await institution_storage.fetch_institution(work.db, invitation.institution_id)
    if inviter is None or institution is None:
        raise operator.unseen("institution")
    await mail.write(
        work,
        invitation_email(
            invitation.email,
            work.address,
            tokens.mailed,
            inviter=inviter,
            institution_name=institution.name,
        ),
    )


_EVENTS = Recorder(Invitation.facts)


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
            institution = await institution_storage.fetch_institution(db, invitation.institution_id)
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

        The emailed token verifies the address; after the token of the link, a verification email
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
        """Add the operator, whose address was invited; the emailed token verifies the address.

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
    """Fetch the invitation, its institution locked, and whether the token was emailed.

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
    if await storage.fetch_role(work.db, institution_id, user.id) is not None:
        raise errors.already_joined()
    member = Member(
        institution_id=institution_id,
        user_id=user.id,
        email=user.email,
        full_name=user.full_name,
        totp_enabled=user.totp_enabled,
        has_second_factor=user.has_second_factor,
        role=invitation.role,
        product_ids=invitation.product_ids,
        release_ids=invitation.release_ids,
        joined_at=work.now,
    )
    await storage.insert_membership(
        work.db,
        institution_id=institution_id,
        user_id=user.id,
        role=invitation.role,
        now=work.now,
    )
    await storage.save_assignments(work.db, member, before=NOTHING)
    await storage.close_invitation(work.db, replace(invitation, accepted_at=work.now))
    acting = acting_as(work, user_id=user.id, email=user.email)
    changes = differences({}, member.facts())
    await record_member(
        acting, EventKind.MEMBER_JOINED, member, changes, invitationId=invitation.id
    )
