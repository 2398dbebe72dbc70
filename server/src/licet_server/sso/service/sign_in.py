"""Sign-in through an identity provider: the redirect to it, and its answer."""

import secrets
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import structlog

from licet_server.identity.errors import account_disabled
from licet_server.identity.rules.users import Evidence, ProofMethod, User
from licet_server.identity.service.hooks import AccountHooks
from licet_server.identity.service.sessions import UserSession, open_session, sign_in_of
from licet_server.identity.service.sign_up import mail_verification
from licet_server.identity.service.throttling import AttemptLimit, count_attempt
from licet_server.identity.service.tokens import digest
from licet_server.identity.service.users import (
    create_user,
    fetch_user,
    find_users,
    lock_account,
    remove_credentials,
)
from licet_server.institutions.service.members import (
    lock_institution,
    provide_membership,
    provide_role,
)
from licet_server.kit import limits
from licet_server.kit.keyring import CannotOpen
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.sso import errors, storage
from licet_server.sso.rules import (
    ATTEMPT_LIFE,
    CHECK_LEASE,
    KEPT_WHILE_UNAVAILABLE,
    STATE_RANDOM_BYTES,
    Attempt,
    ProviderFault,
    ProviderUser,
    SsoConfiguration,
    domain_of,
    institution_of_state,
    mapped_role,
    provider_user_of,
    state_of,
)
from licet_server.sso.service.connections import may_sign_in_as, open_secret
from licet_server.sso.service.provider import (
    Client,
    Denied,
    NotAccepted,
    Providers,
    ProviderUnavailable,
    Tokens,
)

_OUR_FAULTS = frozenset(
    {"invalid_client", "unauthorized_client", "unsupported_grant_type", "temporarily_unavailable"}
)
"""Errors that say nothing about the user: as if the provider were unavailable."""

_log = structlog.get_logger("licet.sso")


@dataclass(frozen=True, slots=True)
class ProviderRenewal:
    """Implements `identity.service.hooks.ProviderCheck`."""

    platform: Platform
    providers: Providers

    async def still_admits(
        self, origin: Origin, *, institution_id: UUID, sign_in_id: UUID, user_id: UUID
    ) -> bool:
        """Check, within seconds whatever the provider does, whether the session may go on."""
        async with self.platform.unit_of_work(origin) as work:
            session = await storage.claim_session(
                work.db, institution_id, sign_in_id, work.now, work.now + CHECK_LEASE
            )
            if session is None:
                return await storage.session_exists(work.db, institution_id, sign_in_id)
            configuration = await storage.fetch_connection(work.db, institution_id)
            user = await fetch_user(work.db, user_id)
        if configuration is None or user is None or not _is_of(session, configuration, user):
            return False
        try:
            refresh_token, tokens = await self._renew(configuration, session)
        except ProviderUnavailable as error:
            return await self._is_kept(origin, session, error.reason)
        except Denied as error:
            is_ours = error.reason in _OUR_FAULTS
            return is_ours and await self._is_kept(origin, session, error.reason)
        except (NotAccepted, CannotOpen):
            return False
        return await self._continue(
            origin, configuration, session, user_id, tokens, tokens.refresh_token or refresh_token
        )

    async def _renew(
        self, configuration: SsoConfiguration, session: storage.ProviderSession
    ) -> tuple[str, Tokens]:
        keyring = self.platform.keyring
        sealed = session.refresh_token or b""
        refresh_token = keyring.open(sealed, _place(session.id)).decode()
        client = Client(configuration, open_secret(keyring, configuration))
        return refresh_token, await self.providers.renew(
            client, refresh_token, subject=session.subject
        )

    async def _is_kept(self, origin: Origin, session: storage.ProviderSession, reason: str) -> bool:
        _log.warning("sso_provider_away", reason=reason)
        async with self.platform.unit_of_work(origin) as work:
            await storage.release_session(work.db, session.institution_id, session.id)
            return work.now - session.admitted_at < KEPT_WHILE_UNAVAILABLE

    async def _continue(
        self,
        origin: Origin,
        configuration: SsoConfiguration,
        session: storage.ProviderSession,
        user_id: UUID,
        tokens: Tokens,
        refresh_token: str,
    ) -> bool:
        role = None
        claim = configuration.role_claim
        mentioned = {"email", (claim or "").partition(".")[0]}
        if claim is not None and not mentioned.isdisjoint(tokens.claims):
            role = mapped_role(configuration, tokens.claims) or configuration.default_role
            if role is None:
                return False
        async with self.platform.unit_of_work(origin) as work:
            if role is not None and await lock_institution(work, session.institution_id):
                await provide_role(work, session.institution_id, user_id, role)
            sealed = seal_refresh_token(work, session.id, refresh_token)
            await storage.save_admission(
                work.db,
                session.institution_id,
                session.id,
                refresh_token=sealed or b"",
                now=work.now,
            )
        return True


def _is_of(session: storage.ProviderSession, configuration: SsoConfiguration, user: User) -> bool:
    """Check whether the connection is still the one that opened the session, and usable."""
    return (
        session.refresh_token is not None
        and session.issuer == configuration.issuer
        and may_sign_in_as(configuration, user.email)
    )


def seal_refresh_token(work: UnitOfWork, sign_in_id: UUID, token: str | None) -> bytes | None:
    """Seal a provider's refresh token to store it; `None` if there is none."""
    return None if token is None else work.keyring.seal(token.encode(), _place(sign_in_id))


def _place(sign_in_id: UUID) -> str:
    return f"sso_sign_ins.refresh_token:{sign_in_id}"


STARTS_PER_MINUTE = 30
CALLBACK = "/api/auth/sso/callback"


@dataclass(frozen=True, slots=True)
class Start:
    """A sign-in that has begun: the URL to redirect to, and the cookie that binds the browser."""

    url: str
    browser: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The parameters with which the provider sent the browser back."""

    code: str | None
    state: str | None
    issuer: str | None
    error: str | None
    browser: str | None
    user_agent: str | None


@dataclass(frozen=True, slots=True)
class SsoSignIn:
    """Signs members in. No transaction is open while a provider is asked."""

    platform: Platform
    hooks: AccountHooks
    providers: Providers

    async def start(self, origin: Origin, email: str, *, browser: str | None, again: bool) -> Start:
        """Begin a sign-in at the provider that speaks for the address.

        Raises:
            Refused: `NotFound` if none does, `Unavailable` if it does not answer, `RateLimited`.
        """
        limit = AttemptLimit(
            f"sso-start:address:{origin.ip_address}", STARTS_PER_MINUTE, limits.MINUTE
        )
        await count_attempt(self.platform, limit)
        async with self.platform.database.reading() as db:
            configuration = await storage.fetch_connection_of_domain(db, domain_of(email))
        if configuration is None:
            raise errors.no_provider()
        browser = browser or secrets.token_urlsafe(32)
        state = state_of(configuration.institution_id, secrets.token_bytes(STATE_RANDOM_BYTES))
        attempt = Attempt(
            institution_id=configuration.institution_id,
            issuer=configuration.issuer,
            nonce=secrets.token_urlsafe(32),
            code_verifier=secrets.token_urlsafe(48),
        )
        try:
            url = await self.providers.authorization_url(
                configuration,
                attempt,
                state=state,
                redirect_uri=self.redirect_uri,
                email=email,
                again=again,
            )
        except ProviderUnavailable as error:
            _log.warning("sso_provider_away", reason=error.reason)
            raise errors.provider_unavailable(error.reason) from None
        async with self.platform.unit_of_work(origin) as work:
            await storage.insert_attempt(
                work.db,
                attempt,
                state_hash=digest(state),
                browser_hash=digest(browser),
                now=work.now,
                expires_at=work.now + ATTEMPT_LIFE,
            )
        return Start(url, browser)

    @property
    def redirect_uri(self) -> str:
        """Return where providers send the browser back to."""
        return f"{self.platform.settings.address}{CALLBACK}"

    async def finish(self, origin: Origin, answer: Answer) -> UserSession:
        """Sign in the user whom the provider's answer names.

        The attempt is used up, whatever follows.

        Raises:
            Refused: `Unauthorized` for an answer that is not accepted, `Forbidden` for a user who
                is not admitted, `Unavailable` if the provider does not answer, `Conflict` if no
                master key opens the client secret.
        """
        try:
            attempt, configuration = await self._take(origin, answer)
            tokens = await self._redeem(attempt, configuration, answer)
            identity = provider_user_of(configuration, tokens.claims)
        except ProviderFault as fault:
            _log.warning("sso_refused", reason=fault.reason)
            raise fault.refused() from None
        async with self.platform.unit_of_work(origin) as work:
            return await self._sign_in(work, configuration, identity, tokens, answer)

    async def _take(self, origin: Origin, answer: Answer) -> tuple[Attempt, SsoConfiguration]:
        institution_id = institution_of_state(answer.state or "")
        if institution_id is None or answer.state is None or not answer.browser:
            raise NotAccepted("state")
        async with self.platform.unit_of_work(origin) as work:
            attempt = await storage.take_attempt(
                work.db, institution_id, digest(answer.state), digest(answer.browser), work.now
            )
            configuration = await storage.fetch_connection(work.db, institution_id)
        if attempt is None or configuration is None:
            raise NotAccepted("state")
        if configuration.issuer != attempt.issuer:
            raise NotAccepted("issuer")
        return attempt, configuration

    async def _redeem(
        self, attempt: Attempt, configuration: SsoConfiguration, answer: Answer
    ) -> Tokens:
        await self.providers.check_issuer(attempt.issuer, answer.issuer)
        if answer.error is not None:
            raise Denied(answer.error[:100])
        if not answer.code:
            raise NotAccepted("code")
        try:
            secret = open_secret(self.platform.keyring, configuration)
        except CannotOpen:
            _log.error("sso_secret_cannot_be_opened", institution=str(configuration.institution_id))
            raise errors.secret_lost() from None
        client = Client(configuration, secret)
        return await self.providers.redeem(
            client, attempt, code=answer.code, redirect_uri=self.redirect_uri
        )

    async def _sign_in(
        self,
        work: UnitOfWork,
        configuration: SsoConfiguration,
        identity: ProviderUser,
        tokens: Tokens,
        answer: Answer,
    ) -> UserSession:
        institution_id = configuration.institution_id
        if await lock_institution(work, institution_id) is None:
            raise errors.not_connected()
        user = await self._user(work, institution_id, identity)
        await _join(work, institution_id, user, identity)
        evidence = Evidence(
            methods=(ProofMethod.PROVIDER,),
            through=institution_id,
            at=_seen_at(identity, work.now),
        )
        session = await open_session(work, self.hooks, user, answer.user_agent, evidence)
        sign_in_id = sign_in_of(session, work.keyring, work.now)
        await storage.SESSIONS.insert(
            work.db,
            storage.ProviderSession(
                institution_id=institution_id,
                id=sign_in_id,
                issuer=identity.issuer,
                subject=identity.subject,
                refresh_token=seal_refresh_token(work, sign_in_id, tokens.refresh_token),
                admitted_at=work.now,
            ),
        )
        return session

    async def _user(self, work: UnitOfWork, institution_id: UUID, identity: ProviderUser) -> User:
        """Find the account of the user, or create it.

        An account whose address was never verified is taken over by the user of the provider.
        """
        linked = await storage.fetch_linked_user(
            work.db, institution_id, identity.issuer, identity.subject
        )
        if linked is not None:
            found = await lock_account(work, linked)
        else:
            by_email = await find_users(work.db, [identity.email])
            found = await lock_account(work, by_email[0].id) if by_email else None
        if found is None:
            user = await create_user(
                work,
                email=identity.email,
                full_name=identity.full_name,
                password_hash=None,
                is_system_admin=False,
                verified=False,
            )
            await mail_verification(work, user_id=user.id, email=user.email)
            return user
        if found.is_disabled:
            raise account_disabled()
        if linked is None and not found.email_verified:
            await self._require_nothing_elsewhere(work, institution_id, found)
            await remove_credentials(work, found)
            return replace(found, totp_enabled=False, has_passkey=False, has_password=False)
        return found

    async def _require_nothing_elsewhere(
        self, work: UnitOfWork, institution_id: UUID, user: User
    ) -> None:
        """Refuse to take over an account that belongs to other institutions."""
        memberships = (await self.hooks.list_memberships(work.db, [user.id]))[user.id]
        if any(item.institution_id != institution_id for item in memberships):
            _log.warning("sso_refused", reason="unproven")
            raise errors.unproven_account()


async def _join(work: UnitOfWork, institution_id: UUID, user: User, identity: ProviderUser) -> None:
    await provide_membership(work, institution_id, user, identity.role)
    if identity.role_is_mapped:
        await provide_role(work, institution_id, user.id, identity.role)
    linked = await storage.fetch_linked_user(
        work.db, institution_id, identity.issuer, identity.subject
    )
    if linked is None:
        await storage.link_user(
            work.db,
            institution_id=institution_id,
            issuer=identity.issuer,
            subject=identity.subject,
            user_id=user.id,
            now=work.now,
        )


def _seen_at(identity: ProviderUser, now: datetime) -> datetime:
    """Return when the provider last authenticated the user; a clock ahead of ours counts as now."""
    return now if identity.seen_at is None else min(identity.seen_at, now)


async def forget_attempts(platform: Platform) -> int:
    """Delete sign-ins that were never finished and tokens that were never used; return how many."""
    async with platform.unit_of_work(Origin()) as work:
        return await storage.delete_expired(work.db, work.now)
