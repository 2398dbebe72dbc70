"""Telemetry as what is stored of a person; events without a license are of nobody."""

from licet_server.kit.personal import PersonalRows
from licet_server.telemetry.tables import telemetry_events

ROWS = PersonalRows((telemetry_events,))
