"""What a browser loads before the dashboard shows anything stays small."""

import gzip
import re
from pathlib import Path

import pytest

from licet_server.kit.web.dashboard import BUILT_FOLDER

LIMIT = 250_000
_NAMED = re.compile(r'(?:src|href)="/(assets/[^"]+\.(?:js|css))"')


def entry_bytes(built: Path) -> dict[str, int]:
    """The gzipped sizes of the scripts and styles that index.html names."""
    named = set(_NAMED.findall((built / "index.html").read_text()))
    return {name: len(gzip.compress((built / name).read_bytes(), 9)) for name in named}


def test_the_entry_is_less_than_250_kilobytes() -> None:
    if not (BUILT_FOLDER / "index.html").is_file():
        pytest.fail("The dashboard is not built: run `make dashboard`.", pytrace=False)
    sizes = entry_bytes(BUILT_FOLDER)
    largest = sorted(sizes.items(), key=lambda item: -item[1])[:5]
    assert any(name.endswith(".js") for name in sizes)
    assert sum(sizes.values()) < LIMIT, f"the largest are {largest}"


def test_the_api_reference_is_compressed_and_no_page_of_the_dashboard_names_it() -> None:
    (script,) = BUILT_FOLDER.glob("assets/api-reference-*.js")
    for suffix in (".br", ".gz"):
        assert script.with_name(script.name + suffix).stat().st_size < script.stat().st_size / 3
    others = {*BUILT_FOLDER.glob("assets/*.js"), BUILT_FOLDER / "index.html"} - {script}
    assert [path.name for path in others if script.name in path.read_text()] == []
