"""Re-encodes uploaded images: small, and without metadata or anything else."""

import hashlib
import io
from dataclasses import dataclass

from PIL import Image, ImageOps, UnidentifiedImageError

from licet_server.kit.errors import bad_field
from licet_server.kit.threads import Threads, give_way

TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
SIDE_MAX = 1024
PIXELS_MAX = 25_000_000

SCANS_MAX = 100
"""Of a JPEG. Each costs the work of a whole image, and may take a few bytes only."""

_SCAN = b"\xff\xda"

_threads = Threads("images", starting=give_way)


@dataclass(frozen=True, slots=True)
class Picture:
    """An image as it is served; its version changes with it."""

    media_type: str
    content: bytes
    version: str


@dataclass(frozen=True, slots=True)
class Small:
    """A small PNG or JPEG, and the size at which it is shown."""

    media_type: str
    content: bytes
    width: int
    height: int


async def reencode(field: str, content: bytes) -> Picture:
    """Re-encode the image in its own format, at most 1024 pixels wide and high, without metadata.

    Only the first frame of an animation is kept. Images are processed one at a time, because one
    may take 100 MB of memory.

    Raises:
        Refused: `InvalidRequest` naming `field`, when it is not a PNG, JPEG or WebP image, is
            corrupt, or has more than 25 million pixels or 100 scans; `Unavailable` when many wait.
    """
    return await _threads.run(_reencode, field, content)


async def shrink(picture: Picture, width: int, height: int, bytes_max: int) -> Small:
    """Return an image in twice this size at most, for sharp screens, and in so many bytes.

    Raises:
        Refused: `Unavailable` when many wait.
    """
    return await _threads.run(_shrink, picture, width, height, bytes_max)


def _shrink(picture: Picture, width: int, height: int, bytes_max: int) -> Small:
    with Image.open(io.BytesIO(picture.content), formats=tuple(TYPES)) as image:
        kind = "JPEG" if image.format == "JPEG" else "PNG"
        small = image.convert("RGB" if kind == "JPEG" else "RGBA")
    small.thumbnail((2 * width, 2 * height))
    scale = min(1.0, width / small.width, height / small.height)
    shown = max(1, round(small.width * scale)), max(1, round(small.height * scale))
    while True:
        target = io.BytesIO()
        small.save(target, kind, quality=85, optimize=True)
        if target.tell() <= bytes_max or max(small.size) <= 2:
            return Small(TYPES[kind], target.getvalue(), *shown)
        small = small.resize((max(1, small.width // 2), max(1, small.height // 2)))


def _reencode(field: str, content: bytes) -> Picture:
    try:
        with Image.open(io.BytesIO(content), formats=tuple(TYPES)) as image:
            kind = str(image.format)
            if image.width * image.height > PIXELS_MAX:
                raise bad_field(field, f"must have at most {PIXELS_MAX:,} pixels.")
            if kind == "JPEG" and content.count(_SCAN) > SCANS_MAX:
                raise bad_field(field, f"must have at most {SCANS_MAX} scans. Save it again.")
            encoded = _encoded(image, kind)
            return Picture(TYPES[kind], encoded, hashlib.sha256(encoded).hexdigest()[:12])
    except UnidentifiedImageError:
        raise bad_field(field, "must be a PNG, JPEG or WebP image.") from None
    except Image.DecompressionBombError:
        raise bad_field(field, f"must have at most {PIXELS_MAX:,} pixels.") from None
    except (OSError, SyntaxError, ValueError, EOFError, OverflowError):
        raise bad_field(field, "is a corrupt image.") from None


def _encoded(image: Image.Image, kind: str) -> bytes:
    image.draft("RGB", (SIDE_MAX, SIDE_MAX))
    image.thumbnail((SIDE_MAX, SIDE_MAX))
    upright = ImageOps.exif_transpose(image)
    clean = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    clean.info.clear()
    target = io.BytesIO()
    clean.save(target, kind, quality=90, optimize=True)
    return target.getvalue()
