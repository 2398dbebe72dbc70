"""Routes of the checks, for system Admins."""

from licet_server.doctor.schemas import DoctorView, report_view
from licet_server.doctor.service import examine, repair
from licet_server.identity.access import StepUp, SystemAdmin
from licet_server.kit.platform import Platform
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes

ROUTES = Routes("Service")
_SECONDS = 5.0
"""For each check; the command waits for as long as it takes."""


@ROUTES.get("/api/doctor", access=SystemAdmin())
async def show_findings(platform: Given[Platform]) -> DoctorView:
    """Look for what is wrong with the data and the surroundings of the service.

    A check that takes longer than 5 seconds is `Unknown`: run `licet-server doctor` then.
    """
    return report_view(await examine(platform, _SECONDS))


@ROUTES.act("/api/doctor/repair", access=SystemAdmin(), step_up=StepUp())
async def repair_findings(request: HttpRequest, platform: Given[Platform]) -> DoctorView:
    """Repair what needs no decision of a person, up to 1,000 rows of each check.

    The audit log of the instance names the rows. Returns the findings from before, each with how
    many were repaired.
    """
    return report_view(await repair(platform, context_of(request).origin(), _SECONDS))
