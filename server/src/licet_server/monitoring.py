"""What the metrics of the instance are made of: the backlogs and the seats of its features."""

from collections.abc import Mapping

from licet_server.connectors.service.inbox import measure_inbox, measure_orders
from licet_server.events.service.recording import measure_undispatched
from licet_server.events.service.sealing import measure_unsealed
from licet_server.kit.backlogs import MeasureBacklog
from licet_server.kit.instance_metrics import InstanceMetrics
from licet_server.kit.mail import measure_waiting
from licet_server.kit.platform import Platform
from licet_server.kit.settings import Settings
from licet_server.metering.service.usage import measure_uncounted
from licet_server.sessions.service.reading import measure_seats
from licet_server.webhooks.service.deliveries import measure_pending


def backlogs_of(settings: Settings) -> Mapping[str, MeasureBacklog]:
    """Return what waits to be done, by name; emails wait only for a mail server."""
    backlogs: dict[str, MeasureBacklog] = {
        "events": measure_undispatched,
        "seals": measure_unsealed,
        "webhooks": measure_pending,
        "rollups": measure_uncounted,
        "inbox": measure_inbox,
        "orders": measure_orders,
    }
    if settings.mail_server is not None:
        backlogs["mail"] = measure_waiting
    return backlogs


def instance_metrics(platform: Platform) -> InstanceMetrics:
    """Return what reads the figures of the instance."""
    return InstanceMetrics(platform, backlogs_of(platform.settings), measure_seats)
