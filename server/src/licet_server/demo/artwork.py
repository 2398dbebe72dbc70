"""What the sample vendor made itself: its logo, and installers that install nothing."""

import io
from hashlib import shake_256

from PIL import Image, ImageDraw

_SIDE, _SCALE = 128, 4
"""It is drawn larger and made smaller, which smooths its edges."""


def logo(color: str) -> bytes:
    """Draw the logo, three arcs over a horizon, as a PNG."""
    whole = _SIDE * _SCALE
    image = Image.new("RGBA", (whole, whole))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, whole - 1, whole - 1), radius=whole // 5, fill=color)
    middle, ground = whole // 2, whole * 3 // 4
    for step in (3, 2, 1):
        reach = step * whole // 8
        box = (middle - reach, ground - reach, middle + reach, ground + reach)
        draw.arc(box, 180, 360, fill="#ffffff", width=whole // 16)
    written = io.BytesIO()
    image.resize((_SIDE, _SIDE), Image.Resampling.LANCZOS).save(written, "PNG")
    return written.getvalue()


_KB = 1_000
_SMALLEST, _LARGEST = 180 * _KB, 320 * _KB


def installer(name: str) -> bytes:
    """Return a file of some 250 kB that says what it is; the same for the same name."""
    drawn = shake_256(name.encode())
    size = _SMALLEST + int.from_bytes(drawn.digest(4), "big") % (_LARGEST - _SMALLEST)
    said = f"{name}: the demo installs nothing.\n".encode()
    return said + drawn.digest(size)
