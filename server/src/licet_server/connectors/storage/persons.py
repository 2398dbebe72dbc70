"""What orders and the events of shops hold of a person."""

from sqlalchemy import ColumnElement, String, and_, cast, delete, func, or_, select, update

from licet_server.connectors.tables import (
    connector_buyers,
    connector_events,
    order_licenses,
    orders,
)
from licet_server.customers.rules.persons import Person
from licet_server.kit.database import Connection
from licet_server.kit.personal import Exported, erase_rows, export_rows
from licet_server.kit.text import ERASED_ADDRESS


async def export(db: Connection, person: Person) -> Exported:
    """Return the rows about a person."""
    return {
        "orders": await export_rows(db, orders, _orders(person)),
        "orderLicenses": await export_rows(db, order_licenses, _licenses(person)),
        "connectorEvents": await export_rows(db, connector_events, _events(person)),
        "connectorBuyers": await export_rows(db, connector_buyers, _buyers(person)),
    }


async def erase(db: Connection, person: Person) -> None:
    """Erase a person from orders and events. What they bought, and when, is kept.

    What events said is gone, so that nothing follows from it any more.
    """
    erased = func.to_jsonb(cast(ERASED_ADDRESS, String))
    await erase_rows(db, connector_events, _events(person))
    await db.execute(
        update(order_licenses)
        .where(_licenses(person))
        .values(plan=func.jsonb_set(order_licenses.c.plan, ["issued_to"], erased))
    )
    await db.execute(delete(connector_buyers).where(_buyers(person)))
    await erase_rows(db, orders, _orders(person))


def _orders(person: Person) -> ColumnElement[bool]:
    with_license = select(order_licenses.c.order_id).where(
        order_licenses.c.institution_id == person.institution_id,
        order_licenses.c.license_id.in_(person.license_ids),
    )
    return and_(
        orders.c.institution_id == person.institution_id,
        or_(orders.c.customer_id.in_(person.customer_ids), orders.c.id.in_(with_license)),
    )


def _licenses(person: Person) -> ColumnElement[bool]:
    found = select(orders.c.id).where(_orders(person))
    return and_(
        order_licenses.c.institution_id == person.institution_id,
        or_(
            order_licenses.c.license_id.in_(person.license_ids),
            order_licenses.c.order_id.in_(found),
        ),
    )


def _events(person: Person) -> ColumnElement[bool]:
    """The events of their orders, and those that name them, such as one about a buyer alone."""
    found = select(orders.c.id).where(_orders(person))
    told = [func.lower(connector_events.c.body), func.lower(cast(connector_events.c.fact, String))]
    named = [func.strpos(text, name.lower()) > 0 for text in told for name in person.texts]
    return and_(
        connector_events.c.institution_id == person.institution_id,
        or_(connector_events.c.order_id.in_(found), *named),
    )


def _buyers(person: Person) -> ColumnElement[bool]:
    return and_(
        connector_buyers.c.institution_id == person.institution_id,
        func.lower(connector_buyers.c.email).in_(person.addresses),
    )
