"""The addresses that the dashboard's sources declare: routes, tabs, and routes within a tab."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from dashboard.checks import ROOT

SOURCES = ROOT / "dashboard/src"
BESIDE_THE_LIST = ("/", "/login")
"""Pages that app/router.tsx mounts one by one."""

MOUNTED = {
    "portal/PortalApp.tsx": "/portal",
    "products/releases/ReleasesTab.tsx": "/products/:/releases",
}
"""Where components stand that declare routes of their own."""

TABLES = {
    "app/settings/InstitutionSettings.tsx": ("/settings", "app/settings/tabs.ts"),
    "statistics/StatisticsPage.tsx": ("/statistics", "statistics/tabs.ts"),
}
"""Pages whose tabs stand in a table of their own, and below what address."""

_ROUTE = re.compile(r'\[\s*"(/[^"]*)",\s*lazy\(')
_BASE = re.compile(r'\bbase ?= ?\{?["`](/[^"`]*)["`]')
_TAB = re.compile(r'\bpath: "([^"]*)"')
_NESTED = re.compile(r'<Route path="([^"*]+)"')


def declared(sources: Path = SOURCES) -> set[str]:
    """Patterns of addresses; a segment `:` stands for an id."""
    routes = _ROUTE.findall((sources / "app/routes.tsx").read_text())
    assert routes, "app/routes.tsx declares its routes in another way than it did"
    found = {*BESIDE_THE_LIST, *routes, *_tabs(sources), *_nested(sources)}
    return {_pattern(address) for address in found}


def _tabs(sources: Path) -> Iterator[str]:
    for path in sources.rglob("*.tsx"):
        text = path.read_text()
        if "<RouteTabs" not in text:
            continue
        file = path.relative_to(sources).as_posix()
        if file in TABLES:
            base, table = TABLES[file]
            tabs = _TAB.findall((sources / table).read_text())
        else:
            found, tabs = _BASE.search(text), _TAB.findall(text)
            assert found, f"{file}: the base of its tabs cannot be read"
            base = found[1]
        assert tabs, f"{file}: the paths of its tabs cannot be read"
        yield from (f"{base}/{tab}" for tab in tabs)


def _nested(sources: Path) -> Iterator[str]:
    for path in sources.rglob("*.tsx"):
        if paths := _NESTED.findall(path.read_text()):
            file = path.relative_to(sources).as_posix()
            assert file in MOUNTED, f"{file} declares routes: say in declared.py below what"
            yield from (f"{MOUNTED[file]}/{nested}" for nested in paths)


def _pattern(address: str) -> str:
    segments = address.removesuffix("/*").strip("/").split("/")
    return "/" + "/".join(":" if re.match(r":|\$\{", part) else part for part in segments)


def pattern_of(address: str, patterns: set[str]) -> str | None:
    """The pattern that an address of the walk leads to; letters go before an id."""
    parts = urlsplit(address).path.strip("/").split("/")
    fitting = [pattern for pattern in patterns if _fits(pattern.strip("/").split("/"), parts)]
    return max(fitting, key=lambda pattern: -pattern.count(":"), default=None)


def _fits(pattern: list[str], parts: list[str]) -> bool:
    if len(pattern) != len(parts):
        return False
    return all(want in (":", part) for want, part in zip(pattern, parts, strict=True))
