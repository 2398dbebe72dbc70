"""Which pages the site has, and in which order its three readers find them."""

from __future__ import annotations

from collections.abc import Iterator

Section = dict[str, list[str]]

HOME = "docs/index.md"
PAGES = "docs/README.md"
"""The table of all pages, for readers of the repository as well."""
REPORTING = "SECURITY.md"  # beside docs/security.md
PYTHON_REFERENCES = {
    "reference/python.md": "licet",
    "reference/python-sentences.md": "licet.sentences",
    "reference/python-testing.md": "licet.testing",
}
"""Pages written from docstrings, and the module of each."""
TYPESCRIPT_REFERENCE = "reference/typescript.md"
DOTNET_REFERENCE = "reference/dotnet.md"
REFERENCES = (*PYTHON_REFERENCES, TYPESCRIPT_REFERENCE, DOTNET_REFERENCE)
"""Pages that are written when the site is built."""

NAVIGATION: dict[str, Section] = {
    "Integrate": {
        "Start": [
            "docs/getting-started.md",
            "docs/devices-and-seats.md",
            PAGES,
            "docs/glossary.md",
        ],
        "SDKs": [
            "docs/concepts.md",
            "docs/sdk-python.md",
            "docs/sdk-typescript.md",
            "docs/sdk-dotnet.md",
            "docs/write-your-own-sdk.md",
            "docs/testing-your-application.md",
            "examples/README.md",
        ],
        "Ship your application": [
            "docs/packaging.md",
            "docs/user-interfaces.md",
            "docs/servers-and-workers.md",
            "docs/containers-and-ci.md",
            "docs/offline.md",
            "docs/versions.md",
        ],
        "Sell licenses": [
            "docs/lifecycle.md",
            "docs/device-keys.md",
            "docs/policies.md",
            "docs/maintenance.md",
            "docs/customers.md",
            "docs/connectors.md",
            "docs/delivery.md",
            "docs/importing.md",
            "docs/metering.md",
            "docs/releases.md",
            "docs/telemetry.md",
            "docs/portal.md",
            "docs/associations.md",
        ],
        "Connect your systems": [
            "docs/automation.md",
            "docs/webhooks.md",
            "docs/feature-flags.md",
            "docs/as-code.md",
        ],
        "Reference": [*REFERENCES, "docs/sdk-conformance.md", "docs/access.md"],
        "Changelogs": [
            "CHANGELOG.md",
            "sdks/python/CHANGELOG.md",
            "sdks/typescript/CHANGELOG.md",
            "sdks/dotnet/CHANGELOG.md",
        ],
    },
    "Operate": {
        "Run the service": [
            "docs/install.md",
            "docs/operations.md",
            "docs/backups.md",
            "docs/monitoring.md",
            "docs/nodes.md",
            "docs/scaling.md",
            "docs/growth.md",
        ],
        "People and access": [
            "docs/team.md",
            "docs/home-and-search.md",
            "docs/single-sign-on.md",
            "docs/limits.md",
            "docs/notifications.md",
        ],
        "Security": ["docs/threats.md", "docs/security.md", REPORTING],
        "Runbooks": ["docs/runbooks/"],
    },
    "Contribute": {
        "Start": ["CONTRIBUTING.md", "ARCHITECTURE.md", "docs/your-first-change.md"],
        "Proof": [
            "docs/specification.md",
            "docs/test-runs.md",
            "conformance/README.md",
            "conformance/PROTOCOL.md",
            "vectors/README.md",
            "benchmarks/README.md",
        ],
        "Parts": ["server/README.md", "dashboard/README.md"],
        "Decisions": ["docs/decisions/"],
    },
}
"""Readers, sections, pages. An entry that ends in a slash stands for every page of that folder."""


def expanded(files: set[str]) -> dict[str, Section]:
    """The navigation with the pages of each folder."""
    return {
        reader: {name: list(_pages(entries, files)) for name, entries in sections.items()}
        for reader, sections in NAVIGATION.items()
    }


def _pages(entries: list[str], files: set[str]) -> Iterator[str]:
    for entry in entries:
        if entry.endswith("/"):
            yield from sorted(
                name for name in files if name.startswith(entry) and name.endswith(".md")
            )
        else:
            yield entry


def place_of(page: str) -> str:
    """Where a page is in the site: ``sdk-python.md`` for ``docs/sdk-python.md``."""
    if page == PAGES:
        return "pages.md"
    if page in REFERENCES:
        return page
    if page == REPORTING:
        return "reporting.md"
    place = page.removeprefix("docs/").lower()
    return place.replace("/readme.md", "/index.md")
