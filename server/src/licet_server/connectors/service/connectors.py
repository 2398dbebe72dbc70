"""Creates, changes and deletes connectors, and rotates their secrets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from licet_server.catalog.reading import test_products
from licet_server.connectors import errors
from licet_server.connectors.rules.model import (
    MAX_RULES,
    Connector,
    ConnectorKind,
    SaleRule,
    rule_breaches,
    rules_breaches,
)
from licet_server.connectors.rules.signatures import secret_breaches
from licet_server.connectors.storage import connectors as storage
from licet_server.connectors.storage import orders
from licet_server.connectors.storage.connectors import CONNECTORS
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import facts_of
from licet_server.events.service.recording import Recorder
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_field, bad_fields
from licet_server.kit.keyring import Keyring
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.signing_secrets import SecretOf, new_secret, replace_secret, seal_secret
from licet_server.kit.text import pasted_secret
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.policies import Policy
from licet_server.licenses.service.policies import find_policies


def secret_of(connector_id: UUID) -> SecretOf:
    """Return the context that the signing secret of a connector is encrypted for."""
    return SecretOf("connectors", connector_id)


def seal_api_key(keyring: Keyring, connector_id: UUID, api_key: str) -> bytes:
    """Return the API key encrypted for storage."""
    place = secret_of(connector_id).place("api_key")
    return keyring.seal(pasted_secret(api_key).encode(), place)


def open_api_key(keyring: Keyring, connector_id: UUID, sealed: bytes) -> str:
    """Return a stored API key.

    Raises:
        CannotOpen: it was encrypted under a master key that is lost.
    """
    return keyring.open(sealed, secret_of(connector_id).place("api_key")).decode()


@dataclass(frozen=True, slots=True)
class ConnectorWithSecret:
    """A connector, with its signing secret if it was generated here; it is shown only once."""

    connector: Connector
    secret: str | None = field(repr=False)


async def create_connector(
    work: UnitOfWork,
    operator: Operator,
    institution_id: UUID | None,
    fields: Mapping[str, Any],
    *,
    signing_secret: str | None,
    api_key: str | None,
) -> ConnectorWithSecret:
    """Create a connector with these fields, by the names of `Connector`.

    A generic one without a signing secret gets a new one.

    Raises:
        Refused: `InvalidRequest` naming every bad field, `Forbidden`.
    """
    found = operator.institution_for_new(institution_id)
    if found is None:
        raise bad_field("institutionId", "must be an institution that you have access to.")
    secret, shown = _secret(fields["kind"], signing_secret)
    connector = Connector(
        institution_id=found,
        id=work.new_id(),
        previous_until=None,
        has_api_key=api_key is not None,
        last_rejected_at=None,
        last_rejection=None,
        created_at=work.now,
        updated_at=work.now,
        **fields,
    )
    await _check_rules(work.db, connector)
    sealed_key = None if api_key is None else seal_api_key(work.keyring, connector.id, api_key)
    sealed = seal_secret(work.keyring, secret_of(connector.id), secret)
    await CONNECTORS.insert(work.db, connector, secret=sealed, api_key=sealed_key)
    await _EVENTS.created(work, EventKind.CONNECTOR_CREATED, connector)
    return ConnectorWithSecret(connector, shown)


def _secret(kind: ConnectorKind, given: str | None) -> tuple[str, str | None]:
    """Return the secret to store, and the one to show: only if it was generated here."""
    if given is not None:
        secret = pasted_secret(given)
        if breaches := list(secret_breaches(kind, secret)):
            raise bad_fields(breaches)
        return secret, None
    if kind is not ConnectorKind.GENERIC:
        raise bad_field("signingSecret", f"is required: the secret that {kind} shows you.")
    generated = new_secret()
    return generated, generated


async def list_connectors(
    db: Connection, operator: Operator, institution_id: UUID | None, paging: Paging
) -> Listing[Connector]:
    """List the connectors of the institutions in which the operator has the required role."""
    return await CONNECTORS.page(db, operator.authorized(institution_id), paging)


async def fetch_connector(db: Connection, operator: Operator, connector_id: UUID) -> Connector:
    found = await CONNECTORS.fetch(db, operator.roles, connector_id)
    return operator.found(found, "connector")


@dataclass(frozen=True, slots=True)
class Activity:
    """What came of a connector: orders that no rule matches, and when an event last arrived."""

    waiting: int = 0
    last_event_at: datetime | None = None


async def fetch_activity(db: Connection, connectors: Sequence[Connector]) -> dict[UUID, Activity]:
    """Fetch what came of each of these connectors."""
    institutions = {item.institution_id for item in connectors}
    ids = [item.id for item in connectors]
    waiting = await orders.count_waiting(db, institutions, ids)
    last = await storage.fetch_last_events(db, institutions, ids)
    return {id_: Activity(waiting.get(id_, 0), last.get(id_)) for id_ in ids}


REJECTED_SINCE = timedelta(days=7)
"""Shops send a message again for several days: what does not come again, no shop has sent."""

REJECTING_MAX = 100


async def find_rejecting(db: Connection, institution_id: UUID, now: datetime) -> list[Connector]:
    """Find the connectors whose last message was rejected, at most 100, the latest first.

    One that an operator has disabled is meant to reject.
    """
    since = now - REJECTED_SINCE
    found = await storage.fetch_rejected(db, institution_id, since, REJECTING_MAX)
    if not found:
        return []
    last = await storage.fetch_last_events(db, [institution_id], [item.id for item in found])
    return [item for item in found if item.is_rejecting(last.get(item.id))]


async def change_connector(
    work: UnitOfWork,
    operator: Operator,
    connector_id: UUID,
    changes: Mapping[str, Any],
    api_key: tuple[str | None] | None,
) -> Connector:
    """Change the fields given, by the names of `Connector`, and the API key if one is given.

    Orders without a matching rule are processed again; licenses of others change with the next
    event about them.

    Raises:
        Refused: `InvalidRequest` naming every bad field, `NotFound`, `Forbidden`.
    """
    current = await lock_connector(work, operator, connector_id)
    changed = replace(current, **changes)
    if api_key is not None:
        [key] = api_key
        changed = replace(changed, has_api_key=key is not None)
        sealed = None if key is None else seal_api_key(work.keyring, current.id, key)
        await storage.save_api_key(work.db, current, sealed)
    if changed == current and api_key is None:
        return current
    if changed.rules != current.rules:
        await _check_rules(work.db, changed)
    return await _save(work, current, changed)


async def add_rule(
    work: UnitOfWork, operator: Operator, connector_id: UUID, rule: SaleRule
) -> Connector:
    """Add a rule, and process the orders without a matching rule again.

    Raises:
        Refused: `InvalidRequest`, `NotFound`, `Forbidden`, `Conflict` if there is a rule for the
            same product and price, or there are too many.
    """
    current = await lock_connector(work, operator, connector_id)
    if any((item.product, item.price) == (rule.product, rule.price) for item in current.rules):
        raise errors.rule_exists()
    if len(current.rules) >= MAX_RULES:
        raise errors.too_many_rules(MAX_RULES)
    policies = await _policies(work.db, current.institution_id, [rule])
    if breaches := list(rule_breaches(rule, policies)):
        raise bad_fields(breaches)
    return await _save(work, current, replace(current, rules=(*current.rules, rule)))


async def _save(work: UnitOfWork, current: Connector, changed: Connector) -> Connector:
    changed = replace(changed, updated_at=work.now)
    await CONNECTORS.save(work.db, changed)
    await orders.mark_waiting_due(work.db, changed, work.now)
    await _EVENTS.changed(work, EventKind.CONNECTOR_UPDATED, current, changed)
    return changed


async def delete_connector(work: UnitOfWork, operator: Operator, connector_id: UUID) -> None:
    """Delete a connector with its events and orders; the licenses stay as they are."""
    current = await lock_connector(work, operator, connector_id)
    await CONNECTORS.delete(work.db, current)
    await _EVENTS.deleted(work, EventKind.CONNECTOR_DELETED, current)


async def rotate_secret(
    work: UnitOfWork, operator: Operator, connector_id: UUID, given: str | None
) -> ConnectorWithSecret:
    """Give a connector another signing secret; the current one stays valid for 24 hours.

    Raises:
        Refused: `InvalidRequest`, `NotFound`, `Forbidden`.
    """
    current = await lock_connector(work, operator, connector_id)
    secret, shown = _secret(current.kind, given)
    stored = await storage.fetch_secrets(work.db, current)
    replaced = replace_secret(work.keyring, secret_of(current.id), stored, secret, work.now)
    changed = replace(current, updated_at=work.now, previous_until=replaced.previous_until)
    await storage.save_secrets(work.db, changed, replaced)
    await _EVENTS.happened(work, EventKind.CONNECTOR_SECRET_ROTATED, changed)
    return ConnectorWithSecret(changed, shown)


async def lock_connector(work: UnitOfWork, operator: Operator, connector_id: UUID) -> Connector:
    """Fetch a connector `FOR NO KEY UPDATE`."""
    found = await CONNECTORS.lock(work.db, operator.roles, connector_id)
    return operator.found(found, "connector")


async def _check_rules(db: Connection, connector: Connector) -> None:
    policies = await _policies(db, connector.institution_id, connector.rules)
    tests = await test_products(db, [connector.institution_id])
    if breaches := list(rules_breaches(connector.rules, policies, tests)):
        raise bad_fields(breaches)


async def _policies(
    db: Connection, institution_id: UUID, rules: Sequence[SaleRule]
) -> dict[UUID, Policy]:
    wanted = {rule.policy_id for rule in rules if rule.policy_id is not None}
    return await find_policies(db, institution_id, wanted)


def _facts(connector: Connector) -> dict[str, object]:
    """Return the data of a connector in events, without its secrets."""
    return {
        "enabled": connector.is_enabled,
        **facts_of(connector, omit=_OMITTED),
        "rules": [facts_of(rule) for rule in connector.rules],
    }


_OMITTED = frozenset(
    {
        "institution_id",
        "id",
        "is_enabled",
        "previous_until",
        "last_rejected_at",
        "last_rejection",
        "created_at",
        "updated_at",
    }
)


def _data(connector: Connector) -> dict[str, object]:
    return {"id": connector.id, **_facts(connector)}


_EVENTS = Recorder(_facts, _data)
