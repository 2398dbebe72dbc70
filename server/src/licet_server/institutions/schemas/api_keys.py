"""Wire shapes of API keys."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.institutions.rules.institutions import range_breaches
from licet_server.institutions.rules.operators import ApiKey, Scope
from licet_server.institutions.service.api_keys import IssuedApiKey
from licet_server.kit.dates import LAST_ZONE, instant_of
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Name, Paragraphs
from licet_server.kit.web.body import Body, DayOrTime
from licet_server.kit.web.views import view_of


class ApiKeyBody(Body):
    """A new API key. `expirationDate` null: never expires; `ipAllowList` null: any IP address.

    An `ipAllowList` without the caller's own address needs `confirm`.
    """

    name: Name
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=len(Scope))]
    description: Paragraphs | None = None
    expiration_date: DayOrTime | None = None
    ip_allow_list: list[str] | None = None
    institution_id: UUID | None = None
    confirm: bool = False

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        end = self.expiration_date
        if end is not None and instant_of(end, LAST_ZONE) <= now:
            yield FieldError("expirationDate", "must be in the future.")
        yield from range_breaches("ipAllowList", self.ip_allow_list or [])

    def fields(self) -> dict[str, Any]:
        """Return what is given of the key, named as in `ApiKey`."""
        return {
            "name": self.name,
            "description": self.description,
            "scopes": tuple(dict.fromkeys(self.scopes)),
            "ip_allow_list": tuple(self.ip_allow_list or ()),
        }


class ApiKeyView(Struct, rename="camel"):
    """An API key, without its secret."""

    id: UUID
    institution_id: UUID
    name: str
    description: str | None
    scopes: list[Scope]
    expiration_date: datetime | None
    ip_allow_list: list[str]
    last_used_at: datetime | None
    created_at: datetime
    revoked_at: datetime | None


class IssuedApiKeyView(ApiKeyView, rename="camel", kw_only=True):
    """An API key with its secret, which is shown only once."""

    secret: str


def api_key_view(key: ApiKey) -> ApiKeyView:
    return view_of(ApiKeyView, key, expiration_date=key.expires_at)


def issued_api_key_view(issued: IssuedApiKey) -> IssuedApiKeyView:
    key = issued.key
    return view_of(IssuedApiKeyView, key, expiration_date=key.expires_at, secret=issued.secret)
