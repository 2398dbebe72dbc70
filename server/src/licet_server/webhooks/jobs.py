"""The background work of webhooks."""

from licet_server.kit.outbound.network import Network, admits_public, public_trust
from licet_server.kit.platform import Platform
from licet_server.webhooks.service import delivering, purging


async def deliver_webhooks(platform: Platform) -> int:
    """Send all due deliveries; returns the number of attempts."""
    network = Network(admits_public(platform.settings.webhooks_allow_private), public_trust)
    return await delivering.deliver_due(platform, network)


async def purge_webhook_deliveries(platform: Platform) -> int:
    """Delete old deliveries; returns how many."""
    return await purging.purge_deliveries(platform)
