"""Web Authentication messages, in the terms of the library."""

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import msgspec
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import options_to_json_dict
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    AuthenticatorTransport,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from licet_server.identity.rules.second_factors import CHALLENGE_LIFE, Passkey, RelyingParty

Credential = Mapping[str, Any]
"""The JSON form of a `PublicKeyCredential`, checked for its types only."""

_TIMEOUT_MS = int(CHALLENGE_LIFE.total_seconds() * 1000)
_MALFORMED = (WebAuthnException, ValueError, KeyError, TypeError, IndexError, AttributeError)
"""The exceptions of the library for malformed messages."""


class NotAccepted(Exception):
    """A message that is malformed, forged, replayed, or of another site."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCredential:
    """A credential that an authenticator has created."""

    credential_id: bytes = field(repr=False)
    public_key: bytes = field(repr=False)
    sign_count: int
    backed_up: bool
    transports: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Assertion:
    """A verified assertion; `user_verified`: by PIN, fingerprint or the like."""

    sign_count: int
    backed_up: bool
    user_verified: bool


def creation_options(
    party: RelyingParty, *, user_id: UUID, email: str, challenge: bytes, known: Sequence[Passkey]
) -> dict[str, Any]:
    """Return options to create a passkey that the user's authenticators do not have yet."""
    options = generate_registration_options(
        rp_id=party.id,
        rp_name="Licet",
        user_id=user_id.bytes,
        user_name=email,
        challenge=challenge,
        timeout=_TIMEOUT_MS,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.PREFERRED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=_descriptors(known),
    )
    return options_to_json_dict(options)


def request_options(
    party: RelyingParty, *, challenge: bytes, known: Sequence[Passkey], verify_user: bool
) -> dict[str, Any]:
    """Return options to use one of these passkeys, or any that the browser finds."""
    verification = (
        UserVerificationRequirement.REQUIRED
        if verify_user
        else UserVerificationRequirement.PREFERRED
    )
    options = generate_authentication_options(
        rp_id=party.id,
        challenge=challenge,
        timeout=_TIMEOUT_MS,
        allow_credentials=_descriptors(known),
        user_verification=verification,
    )
    return options_to_json_dict(options)


def challenge_of(credential: Credential) -> bytes:
    """Return the challenge that an answer names.

    Raises:
        NotAccepted: if it names none.
    """
    try:
        text = credential["response"]["clientDataJSON"]
        challenge = msgspec.json.decode(from_base64url(text))["challenge"]
        return from_base64url(challenge)
    except (msgspec.MsgspecError, *_MALFORMED):
        raise NotAccepted from None


def check_new(credential: Credential, party: RelyingParty, challenge: bytes) -> NewCredential:
    """Return what the authenticator has created for the challenge.

    Raises:
        NotAccepted: for another origin, host name or challenge, or if it is malformed.
    """
    try:
        verified = verify_registration_response(
            credential=dict(credential),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
        )
    except _MALFORMED as error:
        raise NotAccepted(str(error)) from None
    known = {item.value for item in AuthenticatorTransport}
    sent = credential["response"].get("transports") or ()
    return NewCredential(
        credential_id=verified.credential_id,
        public_key=verified.credential_public_key,
        sign_count=verified.sign_count,
        backed_up=verified.credential_backed_up,
        transports=tuple(item for item in sent if item in known),
    )


def check_assertion(
    credential: Credential,
    party: RelyingParty,
    challenge: bytes,
    passkey: Passkey,
    *,
    verify_user: bool,
) -> Assertion:
    """Verify the answer of a passkey to the challenge, and return it.

    Raises:
        NotAccepted: for another origin, host name, challenge or key, if the counter does not
            advance, if the user was not verified and had to be, or if it is malformed.
    """
    try:
        verified = verify_authentication_response(
            credential=dict(credential),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=verify_user,
        )
    except _MALFORMED as error:
        raise NotAccepted(str(error)) from None
    return Assertion(
        sign_count=verified.new_sign_count,
        backed_up=verified.credential_backed_up,
        user_verified=verified.user_verified,
    )


def from_base64url(text: str) -> bytes:
    """Decode base64url without padding.

    Raises:
        ValueError: if it is not.
    """
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def _descriptors(known: Sequence[Passkey]) -> list[PublicKeyCredentialDescriptor]:
    return [
        PublicKeyCredentialDescriptor(
            id=item.credential_id,
            transports=[AuthenticatorTransport(name) for name in item.transports] or None,
        )
        for item in known
    ]
