"""The background work of webhooks."""

from licet_server.kit.platform import Platform
from licet_server.webhooks.service import dispatching
from licet_server.webhooks.service.deliveries import prepare_deliveries
from licet_server.webhooks.service.network import Network, public_trust

__all__ = ["deliver_webhooks", "forget_webhook_deliveries", "prepare_deliveries"]


async def deliver_webhooks(platform: Platform) -> int:
    """Send what is due; answers how many attempts there were."""
    network = Network(platform.settings.webhooks_allow_private, public_trust)
    return await dispatching.dispatch(platform, network)


async def forget_webhook_deliveries(platform: Platform) -> int:
    """Delete old deliveries; answers how many."""
    return await dispatching.forget_deliveries(platform)
