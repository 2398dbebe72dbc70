"""Wire shapes of the appearance of an institution."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.institutions.rules.appearance import WELCOME_MAX, Appearance, color_breaches
from licet_server.kit.errors import FieldError
from licet_server.kit.links import is_web_link
from licet_server.kit.text import Name, is_email
from licet_server.kit.web.body import Change, given
from licet_server.kit.web.views import view_of

Color = Annotated[str, Meta(max_length=7)]
Welcome = Annotated[str, Meta(max_length=WELCOME_MAX)]
Address = Annotated[str, Meta(max_length=254)]
Url = Annotated[str, Meta(max_length=500)]


class AppearanceChange(Change):
    """A change of what an institution shows; null clears.

    The color needs a contrast of 4.5 with white, so that text in it and on it can be read.
    """

    display_name: Name | UnsetType | None = UNSET
    color: Color | UnsetType | None = UNSET
    welcome: Welcome | UnsetType | None = UNSET
    support_email: Address | UnsetType | None = UNSET
    support_url: Url | UnsetType | None = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if isinstance(self.color, str):
            yield from color_breaches(self.color)
        if isinstance(self.support_email, str) and not is_email(self.support_email):
            yield FieldError("supportEmail", "must be an e-mail address.")
        if isinstance(self.support_url, str) and not is_web_link(self.support_url):
            yield FieldError(
                "supportUrl",
                "must be a web address without a user name, for example https://example.com/help.",
            )

    def changes(self) -> dict[str, Any]:
        """Return the fields to change, named as in `Appearance`."""
        changes = given(self)
        if changes.get("color"):
            changes["color"] = changes["color"].lower()
        return {name: value or None for name, value in changes.items()}


class AppearanceView(Struct, rename="camel", kw_only=True):
    """The appearance of an institution to its licensees; null is not set.

    Text in `color` can be read on white, and white text on it; `colorOnDark` is for dark pages.
    """

    institution_id: UUID
    display_name: str | None
    color: str | None
    color_on_dark: str | None
    logo_url: str | None
    welcome: str | None
    support_email: str | None
    support_url: str | None


def appearance_view(appearance: Appearance) -> AppearanceView:
    version = appearance.logo_version
    path = f"/api/institutions/{appearance.institution_id}/logo"
    return view_of(
        AppearanceView, appearance, logo_url=None if version is None else f"{path}?v={version}"
    )
