"""Figures of telemetry."""

from licet_server.statistics.rules.period import Period
from licet_server.statistics.schemas.figures import (
    TelemetryDay,
    TelemetryName,
    TelemetryStatistics,
)
from licet_server.statistics.service.scope import Scope
from licet_server.statistics.service.shared import TOP
from licet_server.telemetry.service.figures import telemetry_figures


async def telemetry_statistics(scope: Scope, period: Period) -> TelemetryStatistics:
    """Return telemetry of the UTC days that the period touches, as far as it is kept."""
    whole = period.of_whole_days
    days = whole.days
    found = await telemetry_figures(
        scope.db, scope.visibility, first=days[0], last=days[-1], limit=TOP
    )
    return TelemetryStatistics(
        since=whole.since,
        until=whole.until,
        events=sum(found.events_by_day.values()),
        dropped=found.dropped,
        devices=found.devices,
        licenses=found.licenses,
        daily_trend=[
            TelemetryDay(
                date=day,
                events=found.events_by_day.get(day, 0),
                devices=found.devices_by_day.get(day, 0),
            )
            for day in days
        ],
        top_names=[
            TelemetryName(name=item.name, events=item.events, devices=item.devices)
            for item in found.names
        ],
    )
