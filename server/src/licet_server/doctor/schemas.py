"""Wire shapes of the findings."""

from collections.abc import Sequence
from dataclasses import asdict

from msgspec import Struct

from licet_server.doctor.rules import CHECKS, CheckName, CheckState, Finding
from licet_server.kit.web.views import view_of


class DoctorFindingView(Struct, rename="camel"):
    """The result of a check: how many it found, and up to 5 examples.

    `repaired` is how many of them this request repaired, `reason` why the check could not look.
    """

    name: CheckName
    state: CheckState
    title: str
    meaning: str
    remedy: str
    repairable: bool
    count: int
    examples: list[str]
    repaired: int
    reason: str | None


class DoctorView(Struct, rename="camel"):
    """The findings, in the order of the checks."""

    findings: list[DoctorFindingView]


def report_view(findings: Sequence[Finding]) -> DoctorView:
    """Return the findings on the wire."""
    return DoctorView([_finding_view(item) for item in findings])


def _finding_view(item: Finding) -> DoctorFindingView:
    check = CHECKS[item.name]
    return view_of(DoctorFindingView, item, **asdict(check), repairable=check.repairs)
