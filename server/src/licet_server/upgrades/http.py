"""Routes of the releases of the service."""

from licet_server.identity.access import SystemAdmin
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.kit.web.views import view_of
from licet_server.upgrades.schemas import UpgradeView, VersionView
from licet_server.upgrades.service import find_upgrade, running_release

ROUTES = Routes("Service")


@ROUTES.get("/api/version", access=Anonymous())
async def show_version(platform: Given[Platform]) -> VersionView:
    """Show the release of this service, its day, and where its notes are."""
    return view_of(VersionView, running_release(platform.settings.address))


@ROUTES.get("/api/version/upgrade", access=SystemAdmin())
async def show_upgrade(db: Given[Connection]) -> UpgradeView:
    """Show the newer release that the feed in `LICET_UPDATE_FEED_URL` named at the last check."""
    found = await find_upgrade(db)
    return UpgradeView(None if found is None else view_of(VersionView, found))
