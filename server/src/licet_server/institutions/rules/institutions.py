"""Institutions, the tenants of an instance: plans, settings, and how they look to licensees.

Colors are readable by their contrast, that of WCAG 2.2: from 1, for equal colors, to 21, for black
and white.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from math import floor
from uuid import UUID

from licet_server.institutions.errors import plan_limit_reached
from licet_server.kit.addresses import plain
from licet_server.kit.errors import FieldError, bad_field
from licet_server.kit.text import LOCALE_MAX, best_locale, is_web_link, normal_locale

MAX_RANGES = 100


def is_admitted(allow_list: Sequence[str], address: str) -> bool:
    """Check whether the list contains the IP address; an empty list allows every address."""
    if not allow_list:
        return True
    try:
        caller = ip_address(plain(address))
    except ValueError:
        return False
    return any(_contains(item, caller) for item in allow_list)


def _contains(network: str, address: IPv4Address | IPv6Address) -> bool:
    try:
        return address in ip_network(network)
    except ValueError:
        return False


def require_own_address(allow_list: Sequence[str], address: str | None) -> None:
    """Check that an allow list, once it is stored, still lets in the caller who stores it.

    Raises:
        Refused: `InvalidRequest`.
    """
    if address is None or is_admitted(allow_list, address):
        return
    raise bad_field(
        "ipAllowList",
        f"does not include your own address, {plain(address)}. Add it, or send confirm: true to "
        "use the list without it.",
    )


def range_breaches(field: str, ranges: Sequence[str]) -> Iterator[FieldError]:
    """Yield what is wrong with an allow list."""
    if len(ranges) > MAX_RANGES:
        yield FieldError(field, f"must have at most {MAX_RANGES} addresses and networks.")
    for index, item in enumerate(ranges[:MAX_RANGES]):
        message = "must be an IP address or a network, for example 203.0.113.7 or 2001:db8::/32."
        try:
            first = ip_network(item).network_address
        except ValueError:
            yield FieldError(f"{field}[{index}]", message)
        else:
            if getattr(first, "ipv4_mapped", None) is not None:
                yield FieldError(
                    f"{field}[{index}]", "must be written as IPv4, for example 203.0.113.7."
                )


class Plan(StrEnum):
    """The plan of an institution; new ones get that of `LICET_DEFAULT_PLAN` or of their founder."""

    FREE = "Free"
    PRO = "Pro"
    UNLIMITED = "Unlimited"


@dataclass(frozen=True, slots=True)
class Limits:
    """The number of products and licenses allowed; `None` is unlimited."""

    products: int | None = None
    licenses: int | None = None


NO_LIMITS = Limits()
LIMITS_OF: Mapping[Plan, Limits] = {
    Plan.FREE: Limits(products=3, licenses=100),
    Plan.PRO: Limits(products=50, licenses=10_000),
    Plan.UNLIMITED: NO_LIMITS,
}


@dataclass(frozen=True, slots=True)
class PlanTerms:
    """A plan, and the limits that override it."""

    plan: Plan = Plan.UNLIMITED
    own_limits: Limits = NO_LIMITS


UNLIMITED = PlanTerms()


def limits_of(plan: Plan, own: Limits) -> Limits:
    """Return the limits of the plan, overridden by the institution's own."""
    default = LIMITS_OF[plan]
    return Limits(
        default.products if own.products is None else own.products,
        default.licenses if own.licenses is None else own.licenses,
    )


def require_room(what: str, limit: int | None, used: int, more: int = 1) -> None:
    """Check that the limit allows so many more.

    Raises:
        Refused: `PlanLimitReached`.
    """
    if limit is not None and used + more > limit:
        raise plan_limit_reached(what, limit, used)


@dataclass(frozen=True, slots=True, kw_only=True)
class Institution:
    """A tenant. Its members may use any IP address, unless `ip_allow_list` restricts them.

    `products_limit` and `licenses_limit` override those of the plan.
    """

    id: UUID
    name: str
    created_at: datetime
    plan: Plan = Plan.UNLIMITED
    products_limit: int | None = None
    licenses_limit: int | None = None
    ip_allow_list: tuple[str, ...] = ()
    expiry_reminder_days: tuple[int, ...] = (30, 7, 1)
    telemetry_retention_days: int = 90
    time_zone: str = "UTC"
    sso_enforced: bool = False
    second_factor_required: bool = False

    @property
    def limits(self) -> Limits:
        """Return how many products and licenses the institution may have."""
        return limits_of(self.plan, Limits(self.products_limit, self.licenses_limit))


RATE_LIMIT_MAX = 1_000_000
REMINDERS_MAX, REMINDER_DAYS_MAX = 10, 365
RETENTION_DAYS_MAX = 3650


@dataclass(frozen=True, slots=True, kw_only=True)
class InstitutionSettings:
    """Allowed IP addresses, rate limits of keys, expiry reminders and telemetry retention.

    An empty list allows any IP address. Rate limits are requests per minute and key; `None` is
    unlimited. `expiry_reminder_days` are days before the end of a term, in descending order.
    Days end, and are named, in `time_zone`, one of the IANA database.
    `require_second_factor`: members without one can access only their own profile.
    """

    ip_allow_list: tuple[str, ...] = ()
    runtime_rate_limit: int | None = None
    api_key_rate_limit: int | None = None
    expiry_reminder_days: tuple[int, ...] = (30, 7, 1)
    telemetry_retention_days: int = 90
    time_zone: str = "UTC"
    require_second_factor: bool = False

    def admits(self, address: str) -> bool:
        """Check whether the institution allows the IP address."""
        return is_admitted(self.ip_allow_list, address)


READABLE = 4.5
"""The contrast that text needs with its background."""

WHITE, DARK = "#ffffff", "#121212"
"""The backgrounds of pages, light and dark."""

WELCOME_MAX = 1_000
WELCOMES_MAX = 20
"""Languages that a welcome text can have."""

_COLOR = re.compile(r"#[0-9a-f]{6}")
_STEPS = 100

Rgb = tuple[float, float, float]
"""Red, green and blue, each from 0 to 255."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """The appearance of an institution. `color` is readable on white, and white is readable on it.

    `welcome` is for readers of all languages but those, by language tag, of `welcome_translations`.
    `renewal_url` is the page where licenses are renewed, with `LICENSE_KEY` where the key belongs.
    `logo_version` changes with the logo, and is `None` without one.
    """

    institution_id: UUID
    display_name: str | None = None
    color: str | None = None
    welcome: str | None = None
    welcome_translations: Mapping[str, str] = field(default_factory=dict)
    support_email: str | None = None
    support_url: str | None = None
    renewal_url: str | None = None
    logo_version: str | None = None

    def welcome_for(self, locale: str | None) -> str | None:
        """Return the welcome text for a reader, whose language is a tag such as `de-AT`."""
        tag = best_locale(locale, self.welcome_translations)
        return self.welcome if tag is None else self.welcome_translations[tag]

    @property
    def color_on_dark(self) -> str | None:
        """Return the color, lightened until it is readable on dark pages, if it is one."""
        is_color = self.color is not None and _COLOR.fullmatch(self.color) is not None
        return readable(self.color, DARK, WHITE) if self.color and is_color else None


def language_breaches(tags: Iterable[str]) -> Iterator[FieldError]:
    """Yield why these cannot be the languages of a welcome text."""
    named: set[str] = set()
    for tag in tags:
        where = f"welcomeTranslations.{tag[:LOCALE_MAX]}"
        found = normal_locale(tag)
        if found is None:
            yield FieldError(where, "must be a language tag, such as de or pt-BR.")
        elif found in named:
            yield FieldError(where, "is named twice.")
        named.add(found or "")


LICENSE_KEY = "{licenseKey}"
"""What stands for the key of a license in the page where it is renewed."""


def renewal_page_breaches(url: str) -> Iterator[FieldError]:
    """Yield why this cannot be the page where licenses are renewed."""
    rest = url.replace(LICENSE_KEY, "")
    if not is_web_link(url) or not url.lower().startswith("https:") or set("{}") & set(rest):
        yield FieldError(
            "renewalUrl",
            "must be an https URL without a user name, with no other placeholder than {licenseKey} "
            "after the host, for example https://example.com/renew?key={licenseKey}.",
        )


def color_breaches(color: str | None) -> list[FieldError]:
    """Return why this cannot be an institution's color; nothing if it can."""
    if color is None:
        return []
    if _COLOR.fullmatch(color.lower()) is None:
        return [FieldError("color", "must be a color such as #1a56db.")]
    found = contrast(color, WHITE)
    if found >= READABLE:
        return []
    nearest = readable(color, WHITE, "#000000")
    return [
        FieldError(
            "color",
            f"has a contrast of {floor(10 * found) / 10} with white, and text needs {READABLE}. "
            f"The nearest that has it is {nearest}.",
        )
    ]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors."""
    darker, lighter = sorted((_luminance(_rgb(one)), _luminance(_rgb(other))))
    return (lighter + 0.05) / (darker + 0.05)


def readable(color: str, background: str, toward: str) -> str:
    """Return the color that is readable on a background, mixed with as little of `toward`."""
    start, end = _rgb(color), _rgb(toward)
    mixtures = (_mixed(start, end, step / _STEPS) for step in range(_STEPS + 1))
    return next((item for item in mixtures if contrast(item, background) >= READABLE), toward)


def _mixed(start: Rgb, end: Rgb, part: float) -> str:
    channels = (round(a + (b - a) * part) for a, b in zip(start, end, strict=True))
    return "#" + "".join(f"{item:02x}" for item in channels)


def _rgb(color: str) -> Rgb:
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    return red, green, blue


def _luminance(color: Rgb) -> float:
    red, green, blue = map(_linear, color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    part = channel / 255
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
