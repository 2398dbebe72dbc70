"""Enrollment and removal of passkeys, and their use to sign in or to step up.

Every assertion is for one challenge, which is used up in a transaction of its own, so that a
refused assertion cannot be tried again.
"""

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.identity import errors
from licet_server.identity.rules.second_factors import (
    CHALLENGE_BYTES,
    CHALLENGE_LIFE,
    PASSKEYS_MAX,
    Challenge,
    ChallengePurpose,
    Passkey,
    RelyingParty,
    relying_party,
)
from licet_server.identity.rules.users import (
    SECOND_FACTORS,
    Evidence,
    Lasting,
    Proof,
    ProofMethod,
    SignedInUser,
    User,
)
from licet_server.identity.service import emails, webauthn
from licet_server.identity.service.account_security import replace_recovery_codes
from licet_server.identity.service.hooks import AccountHooks, record_own_account_event
from licet_server.identity.service.sessions import UserSession, open_session
from licet_server.identity.service.throttling import (
    count_attempt,
    limit_failures,
    limits_of_confirmation,
    limits_of_passkey,
    limits_of_passkey_options,
)
from licet_server.identity.service.tokens import digest_bytes
from licet_server.identity.service.users import ProviderAccounts, lock_signed_in, lock_to_change
from licet_server.identity.service.webauthn import Assertion, Credential, NotAccepted
from licet_server.identity.storage import second_factors as storage
from licet_server.identity.storage.sessions import mark_factor_used, save_proof
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused, conflict, not_found
from licet_server.kit.origin import Origin
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

Options = dict[str, Any]
"""Options for a browser, in the JSON form of the Web Authentication standard."""


@dataclass(frozen=True, slots=True)
class Enrolled:
    """A new passkey; with the first second factor of an account, also its recovery codes."""

    passkey: Passkey
    recovery_codes: Sequence[str] | None


@dataclass(frozen=True, slots=True)
class Passkeys:
    """Enrolls and checks passkeys."""

    platform: Platform
    hooks: AccountHooks

    def _party(self) -> RelyingParty:
        party = relying_party(self.platform.settings.address)
        if party is None:
            raise errors.no_host_name()
        return party

    async def offer_enrollment(self, origin: Origin, user: SignedInUser) -> Options:
        """Return options to create a passkey.

        Raises:
            Refused: `StepUpRequired`; `Forbidden` with an unverified email address; `Conflict` if
                the service has no host name.
        """
        party = self._party()
        user.require_verified_email()
        async with self.platform.unit_of_work(origin) as work:
            user.require_proof(work.now, user.enrolling_proofs)
            known = await storage.list_passkeys(work.db, user.user_id)
            challenge = await _new_challenge(work, ChallengePurpose.REGISTER, user.user_id)
        return webauthn.creation_options(
            party, user_id=user.user_id, email=user.email, challenge=challenge, known=known
        )

    async def enroll(
        self, origin: Origin, user: SignedInUser, *, name: str, credential: Credential
    ) -> Enrolled:
        """Add a passkey; from then on the password alone is not enough to sign in.

        Raises:
            Refused: `StepUpRequired`, `InvalidCredentials` for an invalid attestation,
                `Conflict` for a passkey that is registered, or with too many; `RateLimited`.
        """
        party = self._party()
        user.require_verified_email()
        user.require_proof(self.platform.clock(), user.enrolling_proofs)
        async with limit_failures(self.platform, *limits_of_confirmation(user)):
            challenge = await self._take(
                origin, credential, ChallengePurpose.REGISTER, user.user_id
            )
            try:
                created = webauthn.check_new(credential, party, challenge)
            except NotAccepted:
                raise errors.passkey_not_accepted() from None
        async with self.platform.unit_of_work(origin) as work:
            locked = await lock_to_change(work, user)
            if len(await storage.list_passkeys(work.db, locked.id)) >= PASSKEYS_MAX:
                raise conflict(
                    f"An account has at most {PASSKEYS_MAX} passkeys. Remove one that you no "
                    "longer use."
                )
            passkey = Passkey(
                id=work.new_id(),
                user_id=locked.id,
                name=name,
                created_at=work.now,
                **asdict(created),
            )
            await storage.insert_passkey(work.db, passkey)
            await mark_factor_used(work.db, user.sign_in_id)
            codes = None
            if not await storage.count_recovery_codes(work.db, locked.id):
                codes = await replace_recovery_codes(work, locked.id)
            await record_own_account_event(work, self.hooks, EventKind.USER_PASSKEY_ADDED, locked)
            await emails.notify(work, locked.email, emails.PASSKEY_ADDED, name=name)
        return Enrolled(passkey, codes)

    async def remove(self, origin: Origin, user: SignedInUser, passkey_id: UUID) -> None:
        """Remove a passkey. With the last second factor, the recovery codes go as well.

        Raises:
            Refused: `NotFound`; `StepUpRequired` unless the session has recently used a
                second factor.
        """
        async with self.platform.unit_of_work(origin) as work:
            locked = await lock_to_change(work, user)
            name = await storage.delete_passkey(work.db, locked.id, passkey_id)
            if name is None:
                raise not_found("passkey")
            user.require_proof(work.now, SECOND_FACTORS)
            if not (await lock_signed_in(work, user.user_id)).has_second_factor:
                await storage.delete_recovery_codes(work.db, locked.id)
            await record_own_account_event(work, self.hooks, EventKind.USER_PASSKEY_REMOVED, locked)
            await emails.notify(work, locked.email, emails.PASSKEY_REMOVED, name=name)

    async def offer_sign_in(self, origin: Origin) -> Options:
        """Return options to sign in with a passkey alone; they name no account and no passkey.

        Raises:
            Refused: `RateLimited`, `Conflict` if the service has no host name.
        """
        party = self._party()
        await count_attempt(self.platform, *limits_of_passkey_options(origin))
        async with self.platform.unit_of_work(origin) as work:
            challenge = await _new_challenge(work, ChallengePurpose.SIGN_IN, None)
        return webauthn.request_options(party, challenge=challenge, known=(), verify_user=True)

    async def sign_in(
        self, origin: Origin, credential: Credential, user_agent: str | None
    ) -> UserSession:
        """Sign in with a passkey alone, which has to verify its user, and so is both factors.

        Raises:
            Refused: `InvalidCredentials`, the same for every invalid assertion;
                `Forbidden` if the account is disabled; `SsoRequired` for an account without a
                password, whose passkeys depend on a provider; `RateLimited`.
        """
        async with limit_failures(self.platform, *limits_of_passkey(origin)):
            challenge = await self._take(origin, credential, ChallengePurpose.SIGN_IN, None)
            async with self.platform.unit_of_work(origin) as work:
                passkey = await _find(work.db, credential)
                user = await lock_signed_in(work, passkey.user_id)
                await self._accept(work, passkey, credential, challenge, verify_user=True)
                if user.is_disabled:
                    raise errors.account_disabled()
                if not user.signs_in_alone:
                    raise errors.provider_required()
                evidence = Evidence(methods=(ProofMethod.PASSKEY,), second_factor=True)
                return await open_session(work, self.hooks, user, user_agent, evidence)

    async def offer_second_factor(self, work: UnitOfWork, user: User) -> Options | None:
        """Return options to use a passkey after the right password; `None` without a passkey."""
        party = relying_party(self.platform.settings.address)
        if party is None or not user.has_passkey:
            return None
        known = await storage.list_passkeys(work.db, user.id)
        challenge = await _new_challenge(work, ChallengePurpose.SECOND_FACTOR, user.id)
        return webauthn.request_options(party, challenge=challenge, known=known, verify_user=False)

    async def take_second_factor(
        self, origin: Origin, user_id: UUID, credential: Credential
    ) -> bytes:
        """Use up the challenge of an assertion that follows a password.

        Raises:
            Refused: `InvalidCredentials` if it was for another user or purpose, used or expired.
        """
        try:
            return await self._take(origin, credential, ChallengePurpose.SECOND_FACTOR, user_id)
        except Refused:
            raise errors.invalid_credentials() from None

    async def accept_second_factor(
        self, work: UnitOfWork, user: User, credential: Credential, challenge: bytes
    ) -> bool:
        """Check whether the assertion is from a passkey of the user."""
        try:
            passkey = await _find(work.db, credential)
            if passkey.user_id != user.id:
                return False
            await self._accept(work, passkey, credential, challenge, verify_user=False)
        except Refused:
            return False
        return True

    async def offer_step_up(self, origin: Origin, user: SignedInUser) -> Options:
        """Return options for a signed-in user to prove who they are.

        Raises:
            Refused: `Conflict` without a passkey.
        """
        party = self._party()
        async with self.platform.unit_of_work(origin) as work:
            known = await storage.list_passkeys(work.db, user.user_id)
            if not known:
                raise conflict("You have no passkey. Use your password or a code.")
            challenge = await _new_challenge(work, ChallengePurpose.STEP_UP, user.user_id)
        return webauthn.request_options(party, challenge=challenge, known=known, verify_user=False)

    async def step_up(self, origin: Origin, user: SignedInUser, credential: Credential) -> Proof:
        """Prove with a passkey that it is the user.

        Raises:
            Refused: `InvalidCredentials`, `RateLimited`.
        """
        async with limit_failures(self.platform, *limits_of_confirmation(user)):
            purpose = ChallengePurpose.STEP_UP
            challenge = await self._take(origin, credential, purpose, user.user_id)
            async with self.platform.unit_of_work(origin) as work:
                passkey = await _find(work.db, credential)
                if passkey.user_id != user.user_id:
                    raise errors.passkey_not_accepted()
                await self._accept(work, passkey, credential, challenge, verify_user=False)
                proof = Proof(work.now, (ProofMethod.PASSKEY,))
                await save_proof(work.db, user.sign_in_id, proof)
                await mark_factor_used(work.db, user.sign_in_id)
        return proof

    async def _take(
        self,
        origin: Origin,
        credential: Credential,
        purpose: ChallengePurpose,
        user_id: UUID | None,
    ) -> bytes:
        """Use up the challenge of the answer, whatever follows, and return it."""
        try:
            challenge = webauthn.challenge_of(credential)
        except NotAccepted:
            raise errors.passkey_not_accepted() from None
        async with self.platform.unit_of_work(origin) as work:
            found = await storage.take_challenge(work.db, digest_bytes(challenge), work.now)
        if found is None or found.purpose is not purpose or found.user_id != user_id:
            raise errors.passkey_not_accepted()
        return challenge

    async def _accept(
        self,
        work: UnitOfWork,
        passkey: Passkey,
        credential: Credential,
        challenge: bytes,
        *,
        verify_user: bool,
    ) -> Assertion:
        try:
            accepted = webauthn.check_assertion(
                credential, self._party(), challenge, passkey, verify_user=verify_user
            )
        except NotAccepted:
            raise errors.passkey_not_accepted() from None
        is_fresh = await storage.mark_used(
            work.db, passkey, accepted.sign_count, backed_up=accepted.backed_up, now=work.now
        )
        if not is_fresh:
            raise errors.passkey_not_accepted()
        return accepted


async def list_passkeys(
    db: Connection, accounts: ProviderAccounts, user: SignedInUser, paging: Paging
) -> Listing[Passkey]:
    """Return the passkeys of the user, newest first.

    Raises:
        Refused: `Forbidden` for a session that may not change them either.
    """
    if not await accounts.may_leave(db, user, Lasting.ACCOUNT):
        raise errors.own_sign_in_required()
    return await storage.list_page(db, user.user_id, paging)


async def _new_challenge(
    work: UnitOfWork, purpose: ChallengePurpose, user_id: UUID | None
) -> bytes:
    challenge = secrets.token_bytes(CHALLENGE_BYTES)
    stored = Challenge(
        challenge_hash=digest_bytes(challenge),
        purpose=purpose,
        user_id=user_id,
        created_at=work.now,
        expires_at=work.now + CHALLENGE_LIFE,
    )
    await storage.CHALLENGES.insert(work.db, stored)
    return challenge


async def _find(db: Connection, credential: Credential) -> Passkey:
    try:
        credential_id = webauthn.from_base64url(str(credential.get("rawId")))
    except ValueError:
        raise errors.passkey_not_accepted() from None
    passkey = await storage.fetch_passkey(db, credential_id)
    if passkey is None:
        raise errors.passkey_not_accepted()
    return passkey
