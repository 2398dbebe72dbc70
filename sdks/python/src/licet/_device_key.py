"""The key of this device, which proves the requests of its copies of the application (RFC 9449).

One ES256 key for each state folder, made when it is first needed and never sent: a request carries
the public key and a signature of what it asks for. Who reads the hardware ID, a session ID or a
request of this device still cannot ask in its name.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urldefrag

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePrivateNumbers,
    EllipticCurvePublicNumbers,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from licet._code_key import SIZE, read_number
from licet._disk import read_secret, write_once
from licet._jose import RejectedTokenError, read_object
from licet._transport import TransportReply

FILE_NAME = "device-key.json"
LEVEL = "Software"
MAX_KEY_BYTES = 4096
CLOCK_LEEWAY = timedelta(minutes=1)
"""By how much a clock is off at least when its time is replaced by the server's."""

_CURVE = {"kty": "EC", "crv": "P-256"}
_REFUSAL = "DeviceProofRequired"
_log = logging.getLogger("licet")


@dataclass(frozen=True, slots=True)
class DeviceIdentity:
    """Who this device is for the server.

    Attributes:
        jkt: The thumbprint of its key (RFC 7638); ``None`` if a key cannot be kept on this machine.
        level: What protects the key, ``Software``; ``None`` without one.
        hardware_id: The hardware ID of this machine for the product.
        components: The names of the components by which this machine can be recognized.
    """

    jkt: str | None
    level: str | None
    hardware_id: str
    components: tuple[str, ...] = ()


class DeviceKey:
    """An ES256 key."""

    def __init__(self, private: EllipticCurvePrivateKey) -> None:
        self._private = private

    @classmethod
    def parse(cls, raw: bytes) -> DeviceKey:
        """Read the private JWK in ``device-key.json``.

        Raises:
            ValueError: It is not one.
        """
        try:
            jwk = read_object(raw)
            if not _CURVE.items() <= jwk.items():
                raise ValueError("it is not a P-256 key")
            x, y, d = (read_number(jwk, name) for name in "xyd")
        except RejectedTokenError as error:
            raise ValueError(str(error)) from error
        public = EllipticCurvePublicNumbers(x, y, SECP256R1())
        return cls(EllipticCurvePrivateNumbers(d, public).private_key())

    def private_jwk(self) -> dict[str, str]:
        """The content of ``device-key.json``."""
        return {**self.jwk, "d": _number(self._private.private_numbers().private_value)}

    @cached_property
    def jwk(self) -> dict[str, str]:
        """The public key."""
        public = self._private.public_key().public_numbers()
        return {**_CURVE, "x": _number(public.x), "y": _number(public.y)}

    @cached_property
    def jkt(self) -> str:
        """The thumbprint of the public key."""
        return thumbprint(self.jwk)

    def proof(self, method: str, url: str, body: bytes, at: datetime) -> str:
        """Prove one request: the value of its header ``DPoP``."""
        claims: dict[str, Any] = {
            "jti": secrets.token_urlsafe(18),
            "htm": method,
            "htu": urldefrag(url).url.partition("?")[0],
            "iat": int(at.timestamp()),
        }
        if body:
            claims["bh"] = base64url(hashlib.sha256(body).digest())
        return self._sign("dpop+jwt", claims)

    def receipt(
        self,
        product_id: str,
        lease_id: str,
        seq: int,
        at: datetime,
        spent: Mapping[str, Any] = MappingProxyType({}),
        kind: str = "Returned",
    ) -> str:
        """Attest that this device does not use a lease any more, or what it has ``Used`` of it."""
        claims = {
            "aud": product_id,
            "lease": lease_id,
            "seq": seq,
            "iat": int(at.timestamp()),
            "kind": kind,
            **spent,
        }
        return self._sign("receipt+jwt", claims)

    def request(self, claims: Mapping[str, Any]) -> str:
        """Sign an offline request."""
        return self._sign("licet-req+jwt", claims)

    def sign_lines(self, lines: Sequence[str]) -> bytes:
        """Sign lines of text in 64 bytes, which are short enough to be typed."""
        r, s = decode_dss_signature(self._private.sign("\n".join(lines).encode(), ECDSA(SHA256())))
        return r.to_bytes(SIZE) + s.to_bytes(SIZE)

    def _sign(self, typ: str, claims: Mapping[str, Any]) -> str:
        header = {"typ": typ, "alg": "ES256", "jwk": self.jwk}
        signed = f"{_segment(header)}.{_segment(claims)}"
        return f"{signed}.{base64url(self.sign_lines((signed,)))}"


def thumbprint(jwk: Mapping[str, str]) -> str:
    """The thumbprint of the public key (RFC 7638)."""
    members = {name: jwk[name] for name in ("crv", "kty", "x", "y")}
    return base64url(hashlib.sha256(json.dumps(members, separators=(",", ":")).encode()).digest())


class DeviceKeyFile:
    """The key in the state folder, which copies of the application share.

    Without one that can be kept, requests go without a proof, and a license that asks for it is
    ``DeviceProofRequired``.

    Attributes:
        problem: Why there is no key, in a sentence, if one was needed and there is none.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self.problem: str | None = None
        self._key: DeviceKey | None = None
        self._server_ahead = timedelta(0)

    def find(self) -> DeviceKey | None:
        """The key of this device, if it has one."""
        try:
            return self._read()
        except (OSError, ValueError):
            return None

    def get(self) -> DeviceKey | None:
        """The key of this device, made now if it has none; ``None`` if none can be kept."""
        try:
            return self._read() or self._make()
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or error
            problem = f"{self.path}, the key of this device, cannot be used: {reason}."
            if problem != self.problem:
                _log.info("%s", problem)
            self.problem = problem
            return None

    @property
    def level(self) -> str | None:
        """What protects the key; ``None`` if none can be kept."""
        return None if self.get() is None else LEVEL

    def identity(self, hardware_id: str, components: tuple[str, ...]) -> DeviceIdentity:
        """Who this device is for the server; makes its key if it has none."""
        key = self.get()
        jkt = None if key is None else key.jkt
        return DeviceIdentity(jkt, self.level, hardware_id, components)

    def _read(self) -> DeviceKey | None:
        raw = read_secret(self.path, MAX_KEY_BYTES) if self._key is None else None
        if raw is not None:
            self._key, self.problem = DeviceKey.parse(raw), None
        return self._key

    def _make(self) -> DeviceKey | None:
        made = DeviceKey(generate_private_key(SECP256R1()))
        with contextlib.suppress(FileExistsError):  # another process was first
            write_once(self.path, json.dumps(made.private_jwk()).encode())
        return self._read()

    def headers(self, method: str, url: str, body: bytes, now: datetime) -> dict[str, str]:
        """The headers that prove one request; none without a key."""
        key = self.get()
        if key is None:
            return {}
        return {"DPoP": key.proof(method, url, body, now + self._server_ahead)}

    def signs_again(self, reply: TransportReply, now: datetime) -> bool:
        """Whether a proof was refused that a new one may replace; it has the server's time.

        Two copies that start at once may overtake each other, so that the older proof is refused.
        """
        if self._key is None or not _is_refused(reply):
            return False
        from email.utils import parsedate_to_datetime  # noqa: PLC0415 - loads sockets

        with contextlib.suppress(ValueError, TypeError):
            ahead = parsedate_to_datetime(reply.headers.get("date", "")) - now
            if abs(ahead - self._server_ahead) >= CLOCK_LEEWAY:
                self._server_ahead = ahead
        return True


def _is_refused(reply: TransportReply) -> bool:
    """Whether a response asks for a proof: a refusal, or a verdict. Verifies nothing."""
    if _REFUSAL.encode() not in reply.body:
        return False
    try:
        answer: Mapping[str, Any] = read_object(reply.body)
    except RejectedTokenError:
        return False
    return _REFUSAL in {answer.get("errorCode"), answer.get("status")}


def _number(value: int) -> str:
    return base64url(value.to_bytes(SIZE))


def _segment(part: Mapping[str, Any]) -> str:
    text = json.dumps(part, separators=(",", ":"), ensure_ascii=False)
    return base64url(text.encode(errors="replace"))


def base64url(raw: bytes) -> str:
    """Write bytes as base64url without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")
