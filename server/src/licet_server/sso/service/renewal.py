"""Renewal of sessions by the providers that opened them.

At each refresh, one request of a session asks whether the provider still admits the user, within
seconds; others continue without asking. An unavailable provider does not end sessions at once.
"""

from dataclasses import dataclass
from uuid import UUID

import structlog

from licet_server.identity.rules.users import User
from licet_server.identity.service.users import fetch_user
from licet_server.institutions.service.provisioning import lock_institution, provide_role
from licet_server.kit.keyring import CannotOpen
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.sso.rules.attempts import CHECK_LEASE, KEPT_WHILE_UNAVAILABLE
from licet_server.sso.rules.configuration import SsoConfiguration
from licet_server.sso.rules.provider_users import mapped_role
from licet_server.sso.service.connections import may_sign_in_as, open_secret
from licet_server.sso.service.exchange import ProviderUnavailable
from licet_server.sso.service.id_tokens import NotAccepted
from licet_server.sso.service.provider import Client, Denied, Providers, Tokens
from licet_server.sso.storage import sign_ins as storage
from licet_server.sso.storage.connections import fetch_connection
from licet_server.sso.storage.sign_ins import ProviderSession

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
            configuration = await fetch_connection(work.db, institution_id)
            user = await fetch_user(work.db, user_id)
        if configuration is None or user is None or not _is_of(session, configuration, user):
            return False
        try:
            refresh_token, tokens = await self._renew(configuration, session)
        except ProviderUnavailable as error:
            return await self._is_kept(origin, session, error.reason)
        except Denied as error:
            is_ours = error.error in _OUR_FAULTS
            return is_ours and await self._is_kept(origin, session, error.error)
        except (NotAccepted, CannotOpen):
            return False
        return await self._continue(
            origin, configuration, session, user_id, tokens, tokens.refresh_token or refresh_token
        )

    async def _renew(
        self, configuration: SsoConfiguration, session: ProviderSession
    ) -> tuple[str, Tokens]:
        keyring = self.platform.keyring
        sealed = session.refresh_token or b""
        refresh_token = keyring.open(sealed, _place(session.id)).decode()
        client = Client(configuration, open_secret(keyring, configuration))
        return refresh_token, await self.providers.renew(
            client, refresh_token, subject=session.subject
        )

    async def _is_kept(self, origin: Origin, session: ProviderSession, reason: str) -> bool:
        _log.warning("sso_provider_away", reason=reason)
        async with self.platform.unit_of_work(origin) as work:
            await storage.release_session(work.db, session.institution_id, session.id)
            return work.now - session.admitted_at < KEPT_WHILE_UNAVAILABLE

    async def _continue(
        self,
        origin: Origin,
        configuration: SsoConfiguration,
        session: ProviderSession,
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


def _is_of(session: ProviderSession, configuration: SsoConfiguration, user: User) -> bool:
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
