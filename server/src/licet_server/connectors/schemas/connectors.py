"""Wire shapes of connectors and their events."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.connectors.rules.facts import MAX_REFERENCE
from licet_server.connectors.rules.model import (
    MAX_GRACE_DAYS,
    MAX_RULES,
    Connector,
    ConnectorKind,
    Consequence,
    InboxEvent,
    InboxEventStatus,
    PaymentFailureConsequence,
    QuantityMeaning,
    SaleRule,
)
from licet_server.connectors.service.connectors import ConnectorDraft, ConnectorWithSecret
from licet_server.kit.errors import FieldError
from licet_server.kit.links import is_web_link
from licet_server.kit.text import Name
from licet_server.kit.web.body import Body, Change, given

ShopName = Annotated[str, Meta(min_length=1, max_length=MAX_REFERENCE)]
Secret = Annotated[str, Meta(min_length=1, max_length=500)]
ApiUrl = Annotated[str, Meta(min_length=1, max_length=2_000)]
GraceDays = Annotated[int, Meta(ge=0, le=MAX_GRACE_DAYS)]


class SaleMatchBody(Body):
    """What a rule is for; a product or a price that it does not name may be any."""

    product: ShopName | None = None
    price: ShopName | None = None


class SaleRuleBody(Body):
    """The policy under which what is sold gets licenses; without a policy, it gets none.

    Of several rules that match, the one for a price counts before one for a product.
    """

    match: SaleMatchBody
    policy_id: UUID | None = None
    quantity_as: QuantityMeaning = QuantityMeaning.LICENSES

    def rule(self) -> SaleRule:
        """Return the rule."""
        return SaleRule(
            product=self.match.product,
            price=self.match.price,
            policy_id=self.policy_id,
            quantity_as=self.quantity_as,
        )


Rules = Annotated[list[SaleRuleBody], Meta(max_length=MAX_RULES)]


def _url_breaches(url: str | UnsetType | None) -> Iterator[FieldError]:
    if isinstance(url, str) and not is_web_link(url):
        yield FieldError("apiUrl", "must be an https URL without a user name.")


class ConnectorBody(Body):
    """A new connector. Only a generic one may leave the signing secret to the service."""

    kind: ConnectorKind
    name: Name
    institution_id: UUID | None = None
    signing_secret: Secret | None = None
    api_key: Secret | None = None
    api_url: ApiUrl | None = None
    enabled: bool = True
    rules: Rules = []
    on_refund: Consequence = Consequence.REVOKE
    on_dispute: Consequence = Consequence.SUSPEND
    on_payment_failed: PaymentFailureConsequence = PaymentFailureConsequence.SUSPEND
    grace_days: GraceDays = 7

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from _url_breaches(self.api_url)

    def draft(self) -> ConnectorDraft:
        """Return the connector to create."""
        return ConnectorDraft(
            institution_id=self.institution_id,
            kind=self.kind,
            name=self.name,
            signing_secret=self.signing_secret,
            api_key=self.api_key,
            api_url=self.api_url,
            is_enabled=self.enabled,
            rules=[item.rule() for item in self.rules],
            on_refund=self.on_refund,
            on_dispute=self.on_dispute,
            on_payment_failed=self.on_payment_failed,
            grace_days=self.grace_days,
        )


class ConnectorChange(Change):
    """A change of a connector; given rules replace the current ones."""

    name: Name | UnsetType = UNSET
    api_key: Secret | UnsetType | None = UNSET
    api_url: ApiUrl | UnsetType | None = UNSET
    enabled: bool | UnsetType = UNSET
    rules: Rules | UnsetType = UNSET
    on_refund: Consequence | UnsetType = UNSET
    on_dispute: Consequence | UnsetType = UNSET
    on_payment_failed: PaymentFailureConsequence | UnsetType = UNSET
    grace_days: GraceDays | UnsetType = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from _url_breaches(self.api_url)

    def changes(self) -> Mapping[str, Any]:
        """The fields to change, by their names in `Connector`."""
        found = given(self)
        found.pop("api_key", None)
        if "enabled" in found:
            found["is_enabled"] = found.pop("enabled")
        if isinstance(self.rules, list):
            found["rules"] = tuple(item.rule() for item in self.rules)
        return found

    def new_api_key(self) -> tuple[str | None] | None:
        """The API key to store, within a tuple, or none if it stays."""
        return None if self.api_key is UNSET else (self.api_key,)


class RotateConnectorSecretBody(Body):
    """The new signing secret, as the shop shows it; a generic connector may get one made here."""

    signing_secret: Secret | None = None


class SaleMatchView(Struct, rename="camel"):
    """What a rule is for."""

    product: str | None
    price: str | None


class SaleRuleView(Struct, rename="camel"):
    """The policy under which what is sold gets licenses."""

    match: SaleMatchView
    policy_id: UUID | None
    quantity_as: QuantityMeaning


class ConnectorView(Struct, rename="camel", kw_only=True):
    """A connector. The shop sends its events to `inboxUrl`.

    `unmatchedOrders` wait for a rule. Until `previousSecretUntil`, the former signing secret is
    valid, too.
    """

    id: UUID
    institution_id: UUID
    kind: ConnectorKind
    name: str
    enabled: bool
    inbox_url: str
    rules: list[SaleRuleView]
    on_refund: Consequence
    on_dispute: Consequence
    on_payment_failed: PaymentFailureConsequence
    grace_days: int
    api_url: str | None
    has_api_key: bool
    previous_secret_until: datetime | None
    unmatched_orders: int
    created_at: datetime
    updated_at: datetime


class IssuedConnectorView(ConnectorView, kw_only=True):
    """A connector, with its signing secret if it was made here, which is shown only once."""

    signing_secret: str | None


class ConnectorEventView(Struct, rename="camel", kw_only=True):
    """An event that a shop sent. `error` says why it cannot be read.

    `payload` is its text, which is kept for 90 days.
    """

    id: UUID
    connector_id: UUID
    external_id: str
    type: str
    status: InboxEventStatus
    error: str | None
    order_id: UUID | None
    occurred_at: datetime | None
    received_at: datetime
    payload: str


class InboxReceipt(Struct, rename="camel"):
    """The event is stored; `duplicate` if it was before."""

    received: bool
    duplicate: bool


def _fields(connector: Connector, address: str, waiting: int) -> dict[str, Any]:
    return {
        "id": connector.id,
        "institution_id": connector.institution_id,
        "kind": connector.kind,
        "name": connector.name,
        "enabled": connector.is_enabled,
        "inbox_url": f"{address}/api/connectors/{connector.id}/inbox",
        "rules": [
            SaleRuleView(SaleMatchView(rule.product, rule.price), rule.policy_id, rule.quantity_as)
            for rule in connector.rules
        ],
        "on_refund": connector.on_refund,
        "on_dispute": connector.on_dispute,
        "on_payment_failed": connector.on_payment_failed,
        "grace_days": connector.grace_days,
        "api_url": connector.api_url,
        "has_api_key": connector.has_api_key,
        "previous_secret_until": connector.previous_until,
        "unmatched_orders": waiting,
        "created_at": connector.created_at,
        "updated_at": connector.updated_at,
    }


def connector_view(connector: Connector, address: str, waiting: int) -> ConnectorView:
    """A connector on the wire."""
    return ConnectorView(**_fields(connector, address, waiting))


def issued_connector_view(issued: ConnectorWithSecret, address: str) -> IssuedConnectorView:
    """A connector with its new signing secret on the wire."""
    return IssuedConnectorView(
        **_fields(issued.connector, address, 0), signing_secret=issued.secret
    )


def event_view(event: InboxEvent) -> ConnectorEventView:
    """An event on the wire."""
    return ConnectorEventView(
        id=event.id,
        connector_id=event.connector_id,
        external_id=event.external_id,
        type=event.type,
        status=event.status,
        error=event.error,
        order_id=event.order_id,
        occurred_at=event.occurred_at,
        received_at=event.received_at,
        payload=event.body,
    )
