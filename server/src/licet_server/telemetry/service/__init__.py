"""Use cases of telemetry, and the figures that statistics ask for."""

from licet_server.telemetry.service.figures import telemetry_figures
from licet_server.telemetry.service.forgetting import forget_old_events
from licet_server.telemetry.service.intake import Delivery, Telemetry
from licet_server.telemetry.service.reading import list_events

__all__ = [
    "Delivery",
    "Telemetry",
    "forget_old_events",
    "list_events",
    "telemetry_figures",
]
