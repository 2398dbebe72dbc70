"""Proofs of device keys: a compact JWS for one request (RFC 9449), signed by the key it names."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Annotated
from urllib.parse import unquote, urlsplit

from msgspec import Meta, Struct

from licet_server.devices import errors
from licet_server.devices.rules.signed import LAST_SECOND, DeviceJwk, encoded, read_signed
from licet_server.kit.errors import Refused, bad_field
from licet_server.licenses.rules.model import DeviceProof

PROOF_TYPE = "dpop+jwt"
CLOCK_SKEW = timedelta(seconds=300)
"""How far the clock of a device may be from that of the service."""

_DEFAULT_PORT = re.compile(r":(80|443)\Z")


class KeyLevel(StrEnum):
    """Where a device keeps its key, as it says itself; nothing attests it."""

    HARDWARE = "Hardware"
    OS = "OS"
    SOFTWARE = "Software"


class ProofFault(StrEnum):
    """Why a request does not prove the key of its device."""

    MISSING = "Missing"
    MALFORMED = "Malformed"
    OTHER_KEY = "OtherKey"
    OTHER_REQUEST = "OtherRequest"
    CLOCK = "Clock"
    REPLAYED = "Replayed"


class Proof(Struct, frozen=True):
    """A valid proof: the thumbprint of its key, when it was signed, and its own name."""

    jkt: str
    signed_at: datetime
    jti: str


class SignedRequest(Struct, frozen=True):
    """What a proof is for: a request as the service received it.

    The client may have called any of the `authorities` and `paths`: a proxy may change either.
    """

    method: str
    authorities: Sequence[str]
    paths: Sequence[str]
    body: bytes = b""


class _Claims(Struct, frozen=True):
    jti: Annotated[str, Meta(min_length=16, max_length=64, pattern=r"\A[\x21-\x7e]+\Z")]
    htm: str
    htu: str
    iat: Annotated[int, Meta(ge=0, le=LAST_SECOND)]
    bh: str | None = None


def read_proof(text: str, request: SignedRequest, now: datetime) -> Proof | ProofFault:
    """Return the proof in a `DPoP` header, or what is wrong with it for this request at `now`.

    Whether it is new, and whether the device has this key, is for the caller to decide.
    """
    signed = read_signed(text, PROOF_TYPE, _Claims)
    if signed is None:
        return ProofFault.MALFORMED
    key, claims = signed
    if not _is_for(claims, request):
        return ProofFault.OTHER_REQUEST
    signed_at = datetime.fromtimestamp(claims.iat, UTC)
    if abs(signed_at - now) > CLOCK_SKEW:
        return ProofFault.CLOCK
    return Proof(key.jkt, signed_at, claims.jti)


def _is_for(claims: _Claims, request: SignedRequest) -> bool:
    if claims.htm != request.method or not _is_url_of(claims.htu, request):
        return False
    if claims.bh is None:
        return not request.body
    return claims.bh == encoded(sha256(request.body).digest())


def _is_url_of(text: str, request: SignedRequest) -> bool:
    try:
        url = urlsplit(text)
    except ValueError:
        return False
    if url.scheme not in {"http", "https"} or "?" in text or "#" in text:
        return False
    if _plain(url.netloc) not in map(_plain, request.authorities):
        return False
    return unquote(url.path).lower() in map(str.lower, request.paths)


def _plain(authority: str) -> str:
    return _DEFAULT_PORT.sub("", authority.lower())


class ShownProof:
    """The proof that a request shows, if any; it is verified when it is first asked for."""

    __slots__ = ("_now", "_read", "_request", "text")

    def __init__(self, text: str | None, request: SignedRequest, now: datetime) -> None:
        self.text = text
        self._request = request
        self._now = now
        self._read: Proof | ProofFault | None = None if text is not None else ProofFault.MISSING

    def read(self) -> Proof | ProofFault:
        """Return the proof, or what is wrong with it."""
        if self._read is None:
            self._read = read_proof(self.text or "", self._request, self._now)
        return self._read

    @property
    def proof(self) -> Proof | None:
        """The proof, if it is valid."""
        found = self.read()
        return found if isinstance(found, Proof) else None


def shown_by(proof: Proof) -> ShownProof:
    """Return a proof that was read from something else than a header, as a request shows one."""
    shown = ShownProof("", SignedRequest("", (), ()), proof.signed_at)
    shown._read = proof
    return shown


NO_PROOF = ShownProof(None, SignedRequest("", (), ()), datetime.min.replace(tzinfo=UTC))


def fault_of_key(mode: DeviceProof, known: str | None, shown: ShownProof) -> ProofFault | None:
    """Return why a device may not use a license that asks for proofs; `None` if it may.

    `known` is the thumbprint of the device's key, if it has one. A device without a key goes on
    where one is asked for only when present.
    """
    if mode is DeviceProof.OFF or (mode is DeviceProof.WHEN_PRESENT and known is None):
        return None
    return fault_of(known, shown)


def fault_of(known: str | None, shown: ShownProof) -> ProofFault | None:
    """Return why a request does not prove this key, or any where none is known."""
    found = shown.read()
    if isinstance(found, ProofFault):
        return found
    return None if known in {None, found.jkt} else ProofFault.OTHER_KEY


def refusal_of(fault: ProofFault) -> Refused:
    """Return the refusal of a request that does not prove the key that it must prove."""
    return errors.device_proof_required(_REASONS[fault])


def refusal_of_device(fault: ProofFault) -> Refused:
    """Return the refusal of a device; one with another key is another device."""
    return errors.other_key() if fault is ProofFault.OTHER_KEY else refusal_of(fault)


_REASONS = {
    ProofFault.MISSING: (
        "The license requires a proof of this device's key. Update the application to a version "
        "that sends one."
    ),
    ProofFault.MALFORMED: (
        "The proof of the device's key is not one: the header DPoP must have one ES256 proof of a "
        "P-256 key, of at most 2 kB."
    ),
    ProofFault.OTHER_KEY: (
        "The proof is of another key than the one that the session began with. Connect again."
    ),
    ProofFault.OTHER_REQUEST: (
        "The proof is for another request: its method, its URL or the hash of its body differs."
    ),
    ProofFault.CLOCK: (
        "The proof was signed more than 5 minutes before or after now. Set the clock of this "
        "device, or sign with the time of the response."
    ),
    ProofFault.REPLAYED: "The proof was used before. Sign each request with a new jti.",
}


def require_key(mode: DeviceProof, known: str | None, shown: ShownProof) -> None:
    """Check that a device may use a license that asks for proofs; as `fault_of_key`.

    Raises:
        Refused: `DeviceProofRequired`, `HardwareMismatch`.
    """
    fault = fault_of_key(mode, known, shown)
    if fault is not None:
        raise refusal_of_device(fault)


def require_key_of_proof(key: DeviceJwk, shown: ShownProof) -> None:
    """Check that a key that a request names is the one that it proves.

    One that proves none for another reason than its lack is judged by what its license asks for.

    Raises:
        Refused: `InvalidRequest`.
    """
    found = shown.read()
    if found is ProofFault.MISSING:
        raise bad_field("deviceKey", "must be proven: the header DPoP is missing.")
    if isinstance(found, Proof) and found.jkt != key.jkt:
        raise bad_field("deviceKey", "must be the key of the proof in the header DPoP.")


def is_clone(known: str | None, shown: ShownProof) -> bool:
    """Return whether a device with a known key shows another one."""
    proof = shown.proof if known is not None else None
    return proof is not None and proof.jkt != known
