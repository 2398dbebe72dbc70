"""Where a path's IDs are looked up, so that roles are checked before the body is read."""

from collections.abc import Mapping

from licet_server.catalog.service.clocks import fetch_clock
from licet_server.catalog.service.features import fetch_entitlement_set, fetch_feature
from licet_server.catalog.service.lookup import fetch_product
from licet_server.catalog.service.releases import fetch_release
from licet_server.connectors.service.connectors import fetch_connector
from licet_server.connectors.service.orders import fetch_order
from licet_server.customers.service.customers import fetch_customer
from licet_server.institutions.access import FindTarget
from licet_server.institutions.service.institutions import fetch_institution
from licet_server.leases.service.operators import fetch_lease
from licet_server.licenses.service.policies import fetch_policy
from licet_server.licenses.service.reading import fetch_license
from licet_server.saved_views.service import fetch_view
from licet_server.webhooks.service.webhooks import fetch_webhook

TARGETS: Mapping[str, FindTarget] = {
    "clock_id": fetch_clock,
    "connector_id": fetch_connector,
    "customer_id": fetch_customer,
    "feature_id": fetch_feature,
    "institution_id": fetch_institution,
    "lease_id": fetch_lease,
    "license_id": fetch_license,
    "order_id": fetch_order,
    "policy_id": fetch_policy,
    "product_id": fetch_product,
    "release_id": fetch_release,
    "set_id": fetch_entitlement_set,
    "view_id": fetch_view,
    "webhook_id": fetch_webhook,
}
"""How to find what a path of a route with a body names."""
