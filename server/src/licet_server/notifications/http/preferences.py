"""Routes of the notification preferences of the signed-in user."""

from litestar import get, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from licet_server.institutions.access import SignedIn
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given
from licet_server.notifications.schemas import (
    PreferencesChange,
    PreferencesView,
    preferences_view,
)
from licet_server.notifications.service import reading

_PATH = "/api/notifications/preferences"


@get(_PATH, access=SignedIn(), tags=["Notifications"])
async def show_preferences(db: Given[Connection], operator: Given[Operator]) -> PreferencesView:
    """Show which kinds of notifications you receive, and how."""
    return preferences_view(await reading.show_preferences(db, operator))


@put(_PATH, access=SignedIn(), tags=["Notifications"])
async def change_preferences(
    work: Given[UnitOfWork], operator: Given[Operator], data: JSONBody[PreferencesChange]
) -> PreferencesView:
    """Choose which kinds of notifications you receive, and how; omitted kinds do not change."""
    return preferences_view(await reading.change_preferences(work, operator, data.choices()))


ROUTES: list[HTTPRouteHandler] = [show_preferences, change_preferences]
