"""The signed release behind an update: what may be offered to the application.

The signature alone would allow a fake server to offer an old release again, or another channel's;
so the token's claims are compared with the request and with what the response offers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from licet._addresses import is_protected_address
from licet._claims import optional_string, read_epoch, read_string
from licet._jose import RejectedTokenError, verify_token
from licet._public_key import PublicKey
from licet._semver import precedence

RELEASE_TYP = "release+jwt"


@dataclass(frozen=True, slots=True)
class ReleaseRequest:
    """The update check that a release must match."""

    product_id: str
    current_version: str | None
    channel: str
    platform: str | None


@dataclass(frozen=True, slots=True)
class SignedFile:
    """A file of a release, as the server signed it."""

    name: str
    platform: str | None
    size: int
    sha256: str


def check_release(
    offer: Mapping[str, Any], keys: Sequence[PublicKey], request: ReleaseRequest
) -> None:
    """Check that the server signed an offered release, and that it may be offered.

    Args:
        offer: The response to the update check.
        keys: The trusted public keys.
        request: What was asked for.

    Raises:
        RejectedTokenError: It is not signed, not for this product or channel, not newer than the
            application, or a file is not offered as it was signed.
    """
    token = offer.get("token")
    _require(isinstance(token, str) and bool(token), "it is not signed")
    claims = verify_token(str(token), keys, typ=RELEASE_TYP, need_kid=True)
    read_epoch(claims, "iat")
    _require(claims.get("aud") == request.product_id, "it is for another product")
    version, channel = read_string(claims, "version"), read_string(claims, "channel")
    _require(version == offer.get("version"), "it is signed as another version")
    _require(
        channel == offer.get("channel") and channel.casefold() == request.channel.casefold(),
        "it is signed for another channel",
    )
    _require(_is_newer(version, request.current_version), "it is not newer than this version")
    signed = _read_files(claims)
    for file in offer.get("files") or ():
        _check_file(file, signed, request.platform)


def _check_file(file: Any, signed: Sequence[SignedFile], wanted_platform: str | None) -> None:
    _require(isinstance(file, dict), "it has no list of files")
    platform = file.get("platform")
    offered = (file.get("name"), platform, file.get("sizeBytes"), file.get("sha256"))
    _require(
        offered in [(item.name, item.platform, item.size, item.sha256) for item in signed],
        "a file differs from the signed one",
    )
    _require(
        wanted_platform is None
        or platform is None
        or platform.casefold() == wanted_platform.casefold(),
        "a file is for another platform",
    )
    address = file.get("downloadUrl")
    _require(
        isinstance(address, str) and is_protected_address(address),
        "a download address does not use https",
    )


def _read_files(claims: Mapping[str, Any]) -> list[SignedFile]:
    files = claims.get("files")
    if not isinstance(files, list) or not all(isinstance(item, dict) for item in files):
        raise RejectedTokenError("its claims are malformed: files")
    return [_read_file(item) for item in files]


def _read_file(item: Mapping[str, Any]) -> SignedFile:
    size = item.get("sizeBytes")
    if isinstance(size, bool) or not isinstance(size, int):
        raise RejectedTokenError("its claims are malformed: sizeBytes")
    return SignedFile(
        read_string(item, "name"),
        optional_string(item, "platform"),
        size,
        read_string(item, "sha256"),
    )


def _is_newer(version: str, current: str | None) -> bool:
    """Whether a version is newer; true if the two cannot be compared."""
    offered, own = precedence(version), precedence(current) if current is not None else None
    if offered is None or own is None:
        return version != current
    return offered > own


def _require(holds: bool, failure: str) -> None:
    if not holds:
        raise RejectedTokenError(failure)
