"""The appearance of an institution to its licensees, in readable colors.

Contrast is that of WCAG 2.2: from 1, for equal colors, to 21, for black and white.
"""

import re
from dataclasses import dataclass
from uuid import UUID

from licet_server.kit.errors import FieldError

READABLE = 4.5
"""The contrast that text needs with its background."""

WHITE, DARK = "#ffffff", "#121212"
"""The backgrounds of pages, light and dark."""

WELCOME_MAX = 1_000

_COLOR = re.compile(r"#[0-9a-f]{6}")
_STEPS = 100

Rgb = tuple[float, float, float]
"""Red, green and blue, each from 0 to 255."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """The appearance of an institution. `color` is readable on white, and white is readable on it.

    `logo_version` changes with the logo, and is `None` without one.
    """

    institution_id: UUID
    display_name: str | None = None
    color: str | None = None
    welcome: str | None = None
    support_email: str | None = None
    support_url: str | None = None
    logo_version: str | None = None

    @property
    def color_on_dark(self) -> str | None:
        """Return the color, lightened until it is readable on dark pages, if it is one."""
        is_color = self.color is not None and _COLOR.fullmatch(self.color) is not None
        return readable(self.color, DARK, WHITE) if self.color and is_color else None


@dataclass(frozen=True, slots=True)
class Logo:
    """An image as it is served."""

    media_type: str
    content: bytes
    version: str


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
            f"has a contrast of {found:.1f} with white, and text needs {READABLE}. "
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
