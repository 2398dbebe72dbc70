"""Detects the encoding of a text file."""

import codecs
from pathlib import Path

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def encoding_of(file: Path) -> str:
    """Return the encoding by the byte order mark of a file, or by its first characters.

    Raises:
        OSError: it cannot be opened.
    """
    with file.open("rb") as source:
        start = source.read(4)
    for mark, name in _BOMS:
        if start.startswith(mark):
            return name
    # An export begins with an ASCII character, which has a NUL beside it in UTF-16.
    if start[1:2] == b"\0" and start[:1] != b"\0":
        return "utf-16-le"
    return "utf-16-be" if start[:1] == b"\0" and start[1:2] != b"\0" else "utf-8"
