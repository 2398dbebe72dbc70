"""The requirements, from requirements.json, and the checks that prove each."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from conformance.vectors import Check, checks_of

FILE = Path(__file__).with_name("requirements.json")


@dataclass(frozen=True)
class Requirement:
    """One statement about an SDK.

    Attributes:
        level: ``MUST`` or ``SHOULD``.
        needs: The capabilities without which it is skipped; the first is the one it belongs to.
        vectors: Patterns of the vector cases that prove it.
    """

    id: str
    level: str
    needs: tuple[str, ...]
    text: str
    vectors: tuple[str, ...] = ()

    @property
    def capability(self) -> str:
        return self.needs[0]


_SCENARIOS: dict[str, list[tuple[str, Check]]] = {}


def proves(requirement: str) -> Callable[[Check], Check]:
    """Mark a function as a check of a requirement."""

    def register(check: Check) -> Check:
        label = check.__name__.removeprefix("check_").replace("_", "-")
        _SCENARIOS.setdefault(requirement, []).append((label, check))
        return check

    return register


@cache
def requirements() -> tuple[Requirement, ...]:
    """All requirements, in the order of the file."""
    items = json.loads(FILE.read_text(encoding="utf-8"))["requirements"]
    return tuple(
        Requirement(
            item["id"],
            item["level"],
            (item["capability"], *item.get("needs", ())),
            item["text"],
            tuple(item.get("vectors", ())),
        )
        for item in items
    )


def checks(requirement: Requirement) -> list[tuple[str, Check]]:
    """The checks of a requirement with their labels: its vectors, then its scenarios."""
    import conformance.checks  # noqa: F401, PLC0415 - registers the scenarios

    return [*checks_of(list(requirement.vectors)), *_SCENARIOS.get(requirement.id, ())]


def scenario_ids() -> frozenset[str]:
    """The requirements for which scenarios are registered."""
    import conformance.checks  # noqa: F401, PLC0415 - registers the scenarios

    return frozenset(_SCENARIOS)
