"""Telemetry in figures."""

from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.statistics.rules.figures import (
    TelemetryDay,
    TelemetryName,
    TelemetryStatistics,
)
from licet_server.statistics.rules.period import Period
from licet_server.statistics.service.shared import TOP
from licet_server.telemetry.service.figures import telemetry_figures


async def telemetry_statistics(
    db: Connection, visibility: Visibility, period: Period
) -> TelemetryStatistics:
    """What applications told of on the days that the period touches."""
    whole = period.of_whole_days
    days = whole.days
    found = await telemetry_figures(db, visibility, days[0], days[-1], TOP)
    return TelemetryStatistics(
        since=whole.since,
        until=whole.until,
        events=sum(found.events_by_day.values()),
        devices=found.devices,
        licenses=found.licenses,
        daily_trend=[
            TelemetryDay(day, found.events_by_day.get(day, 0), found.devices_by_day.get(day, 0))
            for day in days
        ],
        top_names=[TelemetryName(item.name, item.events, item.devices) for item in found.names],
    )
