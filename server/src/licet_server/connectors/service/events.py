"""Records the events about orders."""

from licet_server.connectors.rules.model import Order
from licet_server.events.rules.changes import differences
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.kit.unit_of_work import UnitOfWork


async def record_order(work: UnitOfWork, kind: EventKind, order: Order, *, before: Order) -> None:
    """Record a change of an order."""
    await record_event(
        work,
        kind,
        institution_id=order.institution_id,
        subject_id=order.id,
        data={"id": order.id, "connectorId": order.connector_id, **_facts(order)},
        changes=differences(_facts(before), _facts(order)),
    )


def _facts(order: Order) -> dict[str, object]:
    return {
        "externalId": order.external_id,
        "customerId": order.customer_id,
        "status": order.status,
        "problem": order.problem,
    }
