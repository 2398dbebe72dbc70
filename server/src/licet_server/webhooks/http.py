"""The routes of webhooks."""

from typing import Annotated
from uuid import UUID

from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.look_ups import LookUps
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import HttpRequest
from licet_server.kit.web.csv import list_or_csv
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.webhooks.rules import DeliveryFilter, WebhookDeliveryStatus
from licet_server.webhooks.schemas import (
    IssuedWebhookView,
    WebhookBody,
    WebhookChange,
    WebhookDeliveryView,
    WebhookView,
    delivery_view,
    issued_webhook_view,
    webhook_view,
)
from licet_server.webhooks.service import deliveries, webhooks

_READ = InstitutionRole(Role.ADMIN, Scope.WEBHOOKS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.WEBHOOKS_WRITE)
ROUTES = Routes("Webhooks")
_WEBHOOK = "/api/webhooks/{webhook_id:uuid}"


@ROUTES.get("/api/webhooks", access=_READ, problems=(ErrorCode.NOT_FOUND,))
async def list_webhooks(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
) -> Listing[WebhookView]:
    """List the webhooks of the caller's institutions. Sorts by url, createdAt, updatedAt."""
    return (await webhooks.list_webhooks(db, operator, institution_id, paging)).of(webhook_view)


@ROUTES.post("/api/webhooks", access=_WRITE)
async def create_webhook(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    platform: Given[Platform],
    data: JSONBody[WebhookBody],
) -> IssuedWebhookView:
    """Create a webhook. The secret that signs events is in this response only."""
    issued = await webhooks.create_webhook(
        work, operator, data.fields(), allow_private=platform.settings.webhooks_allow_private
    )
    return issued_webhook_view(issued)


@ROUTES.get(_WEBHOOK, access=_READ)
async def show_webhook(
    look_ups: Given[LookUps], operator: Given[Operator], webhook_id: FromPath[UUID]
) -> WebhookView:
    """Show a webhook."""
    return webhook_view(await webhooks.fetch_webhook(look_ups, operator, webhook_id))


@ROUTES.put(_WEBHOOK, access=_WRITE)
async def change_webhook(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    platform: Given[Platform],
    webhook_id: FromPath[UUID],
    data: JSONBody[WebhookChange],
) -> WebhookView:
    """Change a webhook. Disabling it fails pending deliveries; enabling it resets its failures."""
    changed = await webhooks.change_webhook(
        work,
        operator,
        webhook_id,
        data.changes(),
        allow_private=platform.settings.webhooks_allow_private,
    )
    return webhook_view(changed)


@ROUTES.delete(_WEBHOOK, access=_WRITE)
async def delete_webhook(
    work: Given[UnitOfWork], operator: Given[Operator], webhook_id: FromPath[UUID]
) -> None:
    """Delete a webhook with its deliveries."""
    await webhooks.delete_webhook(work, operator, webhook_id)


@ROUTES.act(f"{_WEBHOOK}/rotate-secret", access=_WRITE)
async def rotate_webhook_secret(
    work: Given[UnitOfWork], operator: Given[Operator], webhook_id: FromPath[UUID]
) -> IssuedWebhookView:
    """Rotate the secret, which is in this response only. Both secrets sign for 24 hours."""
    return issued_webhook_view(await webhooks.rotate_secret(work, operator, webhook_id))


@ROUTES.post(f"{_WEBHOOK}/test", access=_WRITE, problems=(ErrorCode.CONFLICT,), status_code=202)
async def test_webhook(
    work: Given[UnitOfWork], operator: Given[Operator], webhook_id: FromPath[UUID]
) -> WebhookDeliveryView:
    """Send a `webhook.test` event, whatever event types the webhook subscribes to."""
    return delivery_view(await deliveries.send_test(work, operator, webhook_id))


@ROUTES.get(f"{_WEBHOOK}/deliveries", access=_READ)
async def list_webhook_deliveries(
    request: HttpRequest,
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    webhook_id: FromPath[UUID],
    status: Annotated[WebhookDeliveryStatus | None, QueryParameter(name="status")] = None,
    search: Annotated[
        str | None,
        QueryParameter(
            max_length=200,
            description="The beginning of an event type, a whole `webhook-id`, or of a license: "
            "its address, a tag, or how its name or key begins.",
        ),
    ] = None,
) -> Listing[WebhookDeliveryView]:
    """List the deliveries of the last 30 days; with `Accept: text/csv`, all of them as CSV.

    Sorts by createdAt, attempts.
    """
    filters = DeliveryFilter(status, (search or "").strip().lower() or None)

    async def fetch(connection: Connection, step: Paging) -> Listing[WebhookDeliveryView]:
        found = await deliveries.list_deliveries(
            connection, operator, webhook_id, filters, step, platform.clock()
        )
        return found.of(delivery_view)

    of = operator.first_institution
    return await list_or_csv(
        request,
        db,
        platform,
        paging,
        operator.user_id,
        of,
        "deliveries.csv",
        WebhookDeliveryView,
        fetch,
    )


@ROUTES.post(
    "/api/webhook-deliveries/{delivery_id:uuid}/replay",
    access=_WRITE,
    problems=(ErrorCode.CONFLICT,),
    status_code=202,
)
async def replay_webhook_delivery(
    work: Given[UnitOfWork], operator: Given[Operator], delivery_id: FromPath[UUID]
) -> WebhookDeliveryView:
    """Send an event again, as a new delivery with the same `webhook-id`."""
    return delivery_view(await deliveries.replay(work, operator, delivery_id))
