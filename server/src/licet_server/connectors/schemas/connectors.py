"""Wire shapes of connectors and their events."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict

from licet_server.connectors.rules.facts import MAX_REFERENCE
from licet_server.connectors.rules.model import (
    MAX_GRACE_DAYS,
    MAX_RULES,
    Connector,
    ConnectorKind,
    Consequence,
    InboxEventStatus,
    PaymentFailureConsequence,
    QuantityMeaning,
    Renewal,
    SaleRule,
)
from licet_server.connectors.service.connectors import Activity, ConnectorWithSecret
from licet_server.connectors.service.inbox import ShownEvent
from licet_server.kit.amounts import plain
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Name, is_web_link
from licet_server.kit.web.body import Body, Change, given
from licet_server.kit.web.views import view_of

ShopName = Annotated[str, Meta(min_length=1, max_length=MAX_REFERENCE)]
Secret = Annotated[str, Meta(min_length=1, max_length=500)]
ApiUrl = Annotated[str, Meta(min_length=1, max_length=2_000)]
GraceDays = Annotated[int, Meta(ge=0, le=MAX_GRACE_DAYS)]


class SaleMatchBody(Body):
    """The items that a rule matches; without a product or a price, it matches any."""

    product: ShopName | None = None
    price: ShopName | None = None


class SaleRuleBody(Body):
    """The policy for sold items that match; without a policy, they get no license.

    Of several matching rules, one with a price applies before one with a product only. A payment
    `renews` the term of the license or its updates, then without another license in an order that
    has one under the policy.
    """

    match: SaleMatchBody
    policy_id: UUID | None = None
    quantity_as: QuantityMeaning = QuantityMeaning.LICENSES
    renews: Renewal = Renewal.TERM

    def rule(self) -> SaleRule:
        return SaleRule(
            product=self.match.product,
            price=self.match.price,
            policy_id=self.policy_id,
            quantity_as=self.quantity_as,
            renews=self.renews,
        )


Rules = Annotated[list[SaleRuleBody], Meta(max_length=MAX_RULES)]


def _url_breaches(url: str | UnsetType | None) -> Iterator[FieldError]:
    if isinstance(url, str) and not is_web_link(url):
        yield FieldError("apiUrl", "must be an https URL without a user name.")


def _fields(
    sent: dict[str, Any], rules: Sequence[SaleRuleBody] | UnsetType, *others: str
) -> dict[str, Any]:
    """Return what was sent by the names of `Connector`, without the other fields of the body."""
    found = {name: value for name, value in sent.items() if name not in others}
    if "enabled" in found:
        found["is_enabled"] = found.pop("enabled")
    if rules is not UNSET:
        found["rules"] = tuple(item.rule() for item in rules)
    return found


class ConnectorBody(Body):
    """A new connector. The service can generate the signing secret of a generic connector only."""

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

    def fields(self) -> Mapping[str, Any]:
        """Return the fields of the connector, by their names in `Connector`."""
        return _fields(asdict(self), self.rules, "institution_id", "signing_secret", "api_key")


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
        """Return the fields to change, by their names in `Connector`."""
        return _fields(given(self), self.rules, "api_key")

    def new_api_key(self) -> tuple[str | None] | None:
        """Return the API key to store, within a tuple; `None` keeps the stored one."""
        return None if self.api_key is UNSET else (self.api_key,)


class RotateConnectorSecretBody(Body):
    """The new signing secret of the provider; the service can generate that of a generic one."""

    signing_secret: Secret | None = None


class SaleMatchView(Struct, rename="camel"):
    """The items that a rule matches."""

    product: str | None
    price: str | None


class SaleRuleView(Struct, rename="camel"):
    """The policy for sold items that match."""

    match: SaleMatchView
    policy_id: UUID | None
    quantity_as: QuantityMeaning
    renews: Renewal


class ConnectorView(Struct, rename="camel", kw_only=True):
    """A connector. The provider sends its events to `inboxUrl`.

    `unmatchedOrders` is the number of orders without a matching rule. The previous signing secret
    is valid until `previousSecretUntil`. `lastRejection` is why a message was last rejected; at
    most one a minute is noted.
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
    last_event_at: datetime | None
    last_rejected_at: datetime | None
    last_rejection: str | None
    created_at: datetime
    updated_at: datetime


class IssuedConnectorView(ConnectorView, kw_only=True):
    """A connector, with its signing secret if the service generated it; it is shown only once."""

    signing_secret: str | None


class ConnectorEventView(Struct, rename="camel", kw_only=True):
    """An event of a provider. `error` says why it cannot be read.

    `orderNumber` is the provider's ID of its order, `customerName` the customer of that, null for
    callers who do not see customers, and `amount` what was paid or paid back by the event, in the
    unit of `currency`, null if it does not say. `payload` is its text, which is kept for 90 days.
    """

    id: UUID
    connector_id: UUID
    external_id: str
    type: str
    status: InboxEventStatus
    error: str | None
    order_id: UUID | None
    order_number: str | None
    customer_name: str | None
    amount: Decimal | None
    currency: str | None
    occurred_at: datetime | None
    received_at: datetime
    payload: str


class InboxReceipt(Struct, rename="camel"):
    """The confirmation that an event is stored; `duplicate` if it was before."""

    received: bool
    duplicate: bool


def connector_view(connector: Connector, address: str, activity: Activity) -> ConnectorView:
    """Return a connector for the wire."""
    return view_of(ConnectorView, connector, **_computed(connector, address, activity))


def issued_connector_view(
    issued: ConnectorWithSecret, address: str, activity: Activity
) -> IssuedConnectorView:
    """Return a connector with its new signing secret for the wire."""
    computed = _computed(issued.connector, address, activity)
    return view_of(IssuedConnectorView, issued.connector, signing_secret=issued.secret, **computed)


def _computed(connector: Connector, address: str, activity: Activity) -> dict[str, Any]:
    return {
        "enabled": connector.is_enabled,
        "inbox_url": f"{address}/api/connectors/{connector.id}/inbox",
        "rules": [
            SaleRuleView(
                SaleMatchView(rule.product, rule.price),
                rule.policy_id,
                rule.quantity_as,
                rule.renews,
            )
            for rule in connector.rules
        ],
        "previous_secret_until": connector.previous_until,
        "unmatched_orders": activity.waiting,
        "last_event_at": activity.last_event_at,
    }


def event_view(shown: ShownEvent) -> ConnectorEventView:
    """Return an event for the wire."""
    money = shown.money
    return view_of(
        ConnectorEventView,
        shown.event,
        order_number=shown.order_number,
        customer_name=shown.customer_name,
        amount=None if money is None else plain(Decimal(money.amount)),
        currency=None if money is None else money.currency,
        payload=shown.event.body,
    )
