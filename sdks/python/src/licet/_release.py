"""The signed answer about updates, and the signed release behind an offer.

The release is signed once, so its signature alone would allow a fake server to offer an old release
again, or to hide a new one. The answer is signed for the nonce of this request, also if there is no
update. The claims of both are compared with the request and with what the response offers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from licet._addresses import is_protected_address
from licet._claims import optional_string, optional_time_claim, read_epoch, read_string
from licet._jose import RejectedTokenError, verify_token
from licet._public_key import PublicKey
from licet._semver import precedence

RELEASE_TYP = "release+jwt"
ANSWER_TYP = "update+jwt"


@dataclass(frozen=True, slots=True)
class ReleaseRequest:
    """The update check that an answer must match.

    Attributes:
        released_at: When the running release was published, if the application knows it.
        key_hash: The hash of the license key that was sent, if one was.
    """

    product_id: str
    nonce: str
    channel: str
    platform: str | None = None
    current_version: str | None = None
    released_at: datetime | None = None
    key_hash: str | None = None


@dataclass(frozen=True, slots=True)
class SignedFile:
    """A file of a release, as the server signed it."""

    name: str
    platform: str | None
    size: int
    sha256: str


def check_update_answer(
    response: Mapping[str, Any], keys: Sequence[PublicKey], request: ReleaseRequest
) -> None:
    """Check that the server signed this response for this request, and that it may be offered.

    Args:
        response: The response to the update check.
        keys: The trusted public keys.
        request: What was asked for.

    Raises:
        RejectedTokenError: It is not signed for this request, or the offered release is not signed,
            not newer than the application, or a file is not offered as it was signed.
    """
    claims = _verify(response.get("answer"), keys, ANSWER_TYP, request)
    _require(claims.get("nonce") == request.nonce, "it is for another request (nonce)")
    _require(
        (claims.get("currentVersion"), claims.get("platform"), claims.get("licenseKeyHash"))
        == (request.current_version, request.platform, request.key_hash),
        "it is for another version, platform or license key",
    )
    _require(
        read_string(claims, "channel").casefold() == request.channel.casefold(),
        "it is for another channel",
    )
    available = response.get("updateAvailable")
    _require(
        isinstance(available, bool)
        and claims.get("updateAvailable") is available
        and optional_string(claims, "version") == response.get("version"),
        "it is signed as another answer",
    )
    newer = {} if response.get("newer") is None else response["newer"]
    _require(
        isinstance(newer, dict)
        and (optional_string(claims, "newerVersion"), optional_string(claims, "renewUrl"))
        == (newer.get("version"), newer.get("renewUrl")),
        "it is signed as another answer",
    )
    if available or response.get("files"):
        _check_release(response, keys, request)
    else:
        channel = response.get("channel")
        _require(
            isinstance(channel, str) and channel.casefold() == request.channel.casefold(),
            "it is for another channel",
        )


def _check_release(
    offer: Mapping[str, Any], keys: Sequence[PublicKey], request: ReleaseRequest
) -> None:
    claims = _verify(offer.get("token"), keys, RELEASE_TYP, request)
    version, channel = read_string(claims, "version"), read_string(claims, "channel")
    _require(version == offer.get("version"), "it is signed as another version")
    _require(
        channel == offer.get("channel") and channel.casefold() == request.channel.casefold(),
        "it is signed for another channel",
    )
    _require_newer(version, optional_time_claim(claims, "publishedAt"), request)
    signed = _read_files(claims)
    for file in offer.get("files") or ():
        _check_file(file, signed, request.platform)


def _verify(
    token: object, keys: Sequence[PublicKey], typ: str, request: ReleaseRequest
) -> dict[str, Any]:
    if not isinstance(token, str) or not token:
        raise RejectedTokenError("it is not signed")
    claims = verify_token(token, keys, typ=typ, need_kid=True)
    read_epoch(claims, "iat")
    _require(claims.get("aud") == request.product_id, "it is for another product")
    return claims


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


def _require_newer(version: str, published_at: datetime | None, request: ReleaseRequest) -> None:
    """A release that cannot be compared by its version must have been published later."""
    own = request.current_version
    offered, running = precedence(version), precedence(own) if own is not None else None
    if offered is not None and running is not None:
        _require(offered > running, "it is not newer than this version")
        return
    if published_at is None or request.released_at is None:
        raise RejectedTokenError(
            "it cannot be compared with this version, and the application does not say when its "
            "own release was published (AppReleasedAt)"
        )
    _require(
        published_at > request.released_at and version != own, "it is not newer than this version"
    )


def _require(holds: bool, failure: str) -> None:
    if not holds:
        raise RejectedTokenError(failure)
