"""The size of what a browser loads before the dashboard shows anything."""

import gzip
import re
from pathlib import Path

ENTRY_LIMIT = 180_000
"""In bytes, gzipped."""
_NAMED = re.compile(r'(?:src|href)="\./(assets/[^"]+\.(?:js|css))"')


def entry_bytes(built: Path) -> dict[str, int]:
    """Return the gzipped sizes of the scripts and styles that index.html names.

    Raises:
        ValueError: it names no script.
    """
    named = set(_NAMED.findall((built / "index.html").read_text()))
    if not any(name.endswith(".js") for name in named):
        raise ValueError("index.html names no script")
    return {name: len(gzip.compress((built / name).read_bytes(), 9)) for name in named}
