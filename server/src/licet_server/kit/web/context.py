"""The context of a request: its ID, the client's address, and the caller."""

import re
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any, cast
from uuid import UUID

import msgspec
from litestar.connection import ASGIConnection, Request
from litestar.types import Scope

from licet_server.kit.addresses import is_trusted, plain
from licet_server.kit.errors import ErrorCode
from licet_server.kit.ids import new_id_text
from licet_server.kit.limits import Allowance, Place, Places
from licet_server.kit.origin import ActorKind, Origin
from licet_server.kit.platform import Platform
from licet_server.kit.settings import Network

HttpRequest = Request[Any, Any, Any]
"""A request whose framework type parameters do not matter here."""

_KEY = "licet"
_SANE_REQUEST_ID = re.compile(rb"[A-Za-z0-9._:-]{1,128}")


class RequestContext(msgspec.Struct, eq=False):
    """The context of a request, stored in the ASGI scope.

    `secure` means that users reach the service over https. `caller` is what the route's access rule
    admitted; `allowances` are the rate limits that counted the request. `headers_only` means that
    the response body is discarded and need not be read. `body` is what was received, where a route
    needs it as it was signed. `refused_as` is the code of the problem
    in the response. `headers` are those of the request, with names in lower case; several lines of
    one name are one list. `turn` is the lane of the request in the fair queue and its weight there,
    from its admission until its response begins. `held` are the places that its long response
    takes until it ends.
    """

    platform: Platform
    headers: Mapping[bytes, bytes]
    request_id: str
    address: str
    secure: bool
    forwarded: bool
    headers_only: bool
    method: str = ""
    path: str = ""
    body: bytes = b""
    caller: object = None
    actor_kind: ActorKind = "System"
    actor_id: UUID | None = None
    actor_name: str | None = None
    of_instance: bool = False
    allowances: list[Allowance] = []
    turn: tuple[tuple[str, UUID], int] | None = None
    held: list[tuple[Places, Place]] = []
    refused_as: ErrorCode | None = None

    def origin(self) -> Origin:
        """Return the origin for the events of this request."""
        return Origin(
            actor_kind=self.actor_kind,
            actor_id=self.actor_id,
            actor_name=self.actor_name,
            ip_address=self.address,
            request_id=self.request_id,
            of_instance=self.of_instance,
        )


def context_of(connection: ASGIConnection) -> RequestContext:  # type: ignore[type-arg]
    return stored_context(connection.scope)


def stored_context(scope: Scope) -> RequestContext:
    """Return the context of the request with this ASGI scope."""
    context: RequestContext = cast("Any", scope)[_KEY]
    return context


def store_context(scope: Scope, context: RequestContext) -> None:
    """Store the context in the ASGI scope."""
    cast("Any", scope)[_KEY] = context


def new_context(scope: Scope, headers: dict[bytes, bytes], platform: Platform) -> RequestContext:
    """Create the context of a new request; forwarding headers count only from trusted proxies."""
    client = scope.get("client")
    peer = plain(client[0]) if client else "127.0.0.1"
    forwarded = b"x-forwarded-for" in headers or b"forwarded" in headers
    secure = scope["scheme"] == "https" or platform.settings.is_public_over_https
    trusted = platform.settings.trusted_proxies
    address = peer
    if is_trusted(peer, trusted):
        # Of several, the last is from the proxy that connected.
        scheme = headers.get(b"x-forwarded-proto", b"").rpartition(b",")[2].strip().lower()
        secure = scheme == b"https" or secure
        if forwarded:
            hops = headers.get(b"x-forwarded-for", b"").decode("latin-1").split(",")
            address = client_address(peer, hops, trusted)
    return RequestContext(
        platform=platform,
        headers=headers,
        request_id=_request_id(headers.get(b"x-request-id"), platform),
        address=address,
        secure=secure,
        forwarded=forwarded,
        headers_only=scope.get("method") == "HEAD",
        method=str(scope.get("method", "")),
        path=scope["path"],
    )


def client_address(peer: str, hops: list[str], trusted: tuple[Network, ...]) -> str:
    """Return the last address in `X-Forwarded-For` that is not a trusted proxy."""
    address = peer
    for hop in filter(None, reversed([hop.strip() for hop in hops])):
        if not is_trusted(address, trusted):
            break
        try:
            address = plain(str(ip_address(hop)))
        except ValueError:
            break
    return address


def _request_id(given: bytes | None, platform: Platform) -> str:
    return sane_request_id(given) or new_id_text(platform.clock())


def sane_request_id(given: bytes | None) -> str | None:
    """Return the ID that a caller gave their request, if it is short and of harmless characters."""
    if given is None or not _SANE_REQUEST_ID.fullmatch(given):
        return None
    return given.decode()
