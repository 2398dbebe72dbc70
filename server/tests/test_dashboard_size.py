"""What a browser loads before the dashboard shows anything, and for its first list, stays small."""

import re
from pathlib import Path

import pytest
from dashboard.entry_size import ENTRY_LIMIT, entry_bytes

from licet_server.kit.web.dashboard import BUILT_FOLDER

LIST_LIMIT = 716_000
FILES_LIMIT = 15
_IMPORTED = re.compile(r'(?:from|import)\s*["`]\./([^"`]+\.js)["`]')


def scripts_of(built: Path, *begins: str) -> dict[str, int]:
    """The sizes of these scripts and of all that they import before they run."""
    found: dict[str, int] = {}
    wanted = [path.name for begin in begins for path in built.glob(f"assets/{begin}-*.js")]
    while wanted:
        name = wanted.pop()
        if name not in found:
            source = (built / "assets" / name).read_text()
            found[name] = len(source)
            wanted += _IMPORTED.findall(source)
    return found


@pytest.fixture
def built() -> Path:
    if not (BUILT_FOLDER / "index.html").is_file():
        pytest.fail("The dashboard is not built: run `make dashboard`.", pytrace=False)
    return BUILT_FOLDER


def test_the_entry_is_at_most_180_kilobytes(built: Path) -> None:
    sizes = entry_bytes(built)
    largest = sorted(sizes.items(), key=lambda item: -item[1])[:5]
    assert sum(sizes.values()) <= ENTRY_LIMIT, f"the largest are {largest}"


def test_the_list_of_licenses_loads_no_form_dialog_or_menu(built: Path) -> None:
    scripts = scripts_of(built, "index", "start", "lists", "LicensesPage")
    names = {name.split("-")[0] for name in scripts}
    assert {"first", "start", "lists", "LicensesPage"} <= names
    assert not names & {"floating", "forms", "shared"}
    assert len(scripts) <= FILES_LIMIT
    assert sum(scripts.values()) <= LIST_LIMIT, sorted(scripts.items(), key=lambda item: -item[1])


def test_the_api_reference_is_compressed_and_no_page_of_the_dashboard_names_it(built: Path) -> None:
    (script,) = built.glob("assets/api-reference-*.js")
    for suffix in (".br", ".gz"):
        assert script.with_name(script.name + suffix).stat().st_size < script.stat().st_size / 3
    others = {*built.glob("assets/*.js"), built / "index.html"} - {script}
    assert [path.name for path in others if script.name in path.read_text()] == []
