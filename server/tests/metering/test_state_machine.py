"""Whatever is asked in whatever order, over days: the service does what the plain model does.

Charges that are sent at once must be answered as if they had come in one order or another.
"""

import asyncio
import itertools
from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

import httpx
import hypothesis
import msgspec
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from machines import STEPS, Machine
from metering.factories import new_key
from metering.ledger_checks import rows_of
from metering.reference_model import OK, Answer, Catalog, Entry, Meter, Outcome, Use
from sqlalchemy import delete, select
from testkit import numbers
from volumes import is_long
from world import World

from licet_server.events.tables import events
from licet_server.metering.service.usage import roll_up
from licet_server.metering.tables import meter_wallets

FEATURES = ["export", "import", "draft", "unknown"]
KINDS = [("Token", "Count"), ("entitled Token", "entitled Count"), ("ending Token", "ending Count")]
START = {"Token": Decimal("30.25"), "Count": Decimal(40)}
SETTINGS = hypothesis.settings(STEPS, max_examples=8 if is_long() else 3)

which = st.integers(min_value=0, max_value=1)
choice = st.integers(min_value=0, max_value=999)
features = st.sampled_from(FEATURES[:2] * 4 + FEATURES[2:])
quantities = st.sampled_from([1, 1, 2, 3, 7, 20, 10**9])
cases = st.sampled_from([str.lower, str.upper, str.title])
amounts = st.sampled_from(["1", "5", "12", "40", "0.5", "2.25", "0.000001", "1000000000000000"])

_encode = msgspec.json.Encoder(decimal_format="number").encode
_decode = msgspec.json.Decoder(float_hook=Decimal).decode


@pytest.fixture
async def loop() -> asyncio.AbstractEventLoop:
    """The loop that the service runs in."""
    return asyncio.get_running_loop()


class Metering(Machine):
    """Two metered licenses of one product, whose features are made for this run alone."""

    def __init__(self, world: World, loop: asyncio.AbstractEventLoop, kinds: Sequence[str]) -> None:
        super().__init__(world, loop)
        self.kinds = kinds
        self.licenses: list[tuple[dict[str, Any], Meter]] = []
        self.catalog = Catalog()
        self.ids: dict[str, str] = {}
        self.run_number = next(numbers)

    @initialize()
    def open(self) -> None:
        """Draft has no price at first, and nobody knows what is unknown."""
        self.stay_signed_in()
        for feature in FEATURES[:3]:
            name = self._named(feature).title()
            self.catalog.names[name.casefold()] = name
            self.ids[feature] = self.run(self.world.feature(name))["id"]
        self._price("export", Decimal("2.5"))
        self._price("import", Decimal("0.333333"))
        for kind in self.kinds:
            self._issue(kind)

    def _issue(self, kind: str) -> None:
        mode = kind.rsplit(maxsplit=1)[-1]
        model = Meter(mode, START[mode])
        fields: dict[str, Any] = {"initialMeterBalance": float(model.balance)}
        if kind.startswith("entitled"):
            names = [self._named("export").title(), self._named("draft").title()]
            path = f"/api/products/{self.world.product['id']}/entitlement-sets"
            body = {"name": f"{kind} {self.run_number}", "featureNames": names}
            fields["entitlementSetId"] = self._operator("POST", path, body).json()["id"]
            model.entitled = frozenset(name.casefold() for name in names)
        if kind.startswith("ending"):
            model.ends = self.clock.now + timedelta(hours=1)
            fields["expirationDate"] = model.ends.isoformat()
        made = self.run(self.world.issue(f"Metered{mode}", **fields))
        self.licenses.append((made, model))

    def _named(self, feature: str) -> str:
        return f"{feature} {self.run_number}"

    def _license(self, n: int) -> tuple[dict[str, Any], Meter]:
        return self.licenses[n % len(self.licenses)]

    # Applications

    @rule(n=which, feature=features, quantity=quantities, case=cases, keyed=st.booleans())
    def consume(self, n: int, feature: str, quantity: int, case: Any, keyed: bool) -> None:
        made, model = self._license(n)
        unkeyed = not keyed and (model.mode == "Count" or quantity == 3)
        use = Use(case(self._named(feature)), quantity, None if unkeyed else new_key())
        expected = model.consume(use, self.catalog, self.clock.now)
        assert self.run(self._ask(made, use)) == expected

    @rule(n=which, chosen=choice, case=cases, different=st.sampled_from([None] * 4 + ["q", "f"]))
    @precondition(lambda self: any(model.used for _, model in self.licenses))
    def replay(self, n: int, chosen: int, case: Any, different: str | None) -> None:
        """An earlier key, also one of the other license, where it is new."""
        used = [use for _, model in self.licenses for use, _ in model.used.values()]
        earlier = used[-1 - chosen % len(used)]
        feature = case(self._named("import") if different == "f" else earlier.feature)
        another = 2 if earlier.quantity == 1 else 1  # one more than the largest is none
        quantity = another if different == "q" else earlier.quantity
        self.consume_as(n, Use(feature, quantity, earlier.key))

    def consume_as(self, n: int, use: Use) -> None:
        made, model = self._license(n)
        expected = model.consume(use, self.catalog, self.clock.now)
        assert self.run(self._ask(made, use)) == expected

    @rule(
        wishes=st.lists(st.tuples(which, features, st.sampled_from([1, 2, 9])), max_size=3),
        again=choice,
        twice=st.booleans(),
    )
    @precondition(lambda self: self.licenses)
    def consume_at_once(self, wishes: list[tuple[int, str, int]], again: int, twice: bool) -> None:
        asked = [
            (n % len(self.licenses), Use(self._named(feature), quantity, new_key()))
            for n, feature, quantity in [(again, "export", 1 + again % 5), *wishes]
        ]
        if twice:
            asked.append(asked[again % len(asked)])

        async def ask_all() -> list[Answer]:
            return await asyncio.gather(*(self._ask(self.licenses[n][0], use) for n, use in asked))

        self._explain(asked, self.run(ask_all()))

    def _explain(self, asked: list[tuple[int, Use]], answers: list[Answer]) -> None:
        """Go on from the first order in which the model answers the same."""
        for order in itertools.permutations(range(len(asked))):
            models = [model.copy() for _, model in self.licenses]
            told: dict[int, Answer] = {}
            for place in order:
                n, use = asked[place]
                told[place] = models[n].consume(use, self.catalog, self.clock.now)
            if [told[place] for place in range(len(asked))] == answers:
                made = [license_ for license_, _ in self.licenses]
                self.licenses = list(zip(made, models, strict=True))
                return
        pytest.fail(f"no order explains {answers} to {asked}")

    # The vendor

    @rule(what=st.sampled_from(["grant", "adjust", "adjust"]), n=which, amount=amounts, up=which)
    def move(self, what: str, n: int, amount: str, up: int) -> None:
        made, model = self._license(n)
        given = Decimal(amount)
        if what == "adjust" and not up:
            given = -given
        self._move(what, made, model, given)

    @rule(n=which)
    def empty(self, n: int) -> None:
        """Adjust to nothing, which chance seldom does."""
        made, model = self._license(n)
        if model.balance > 0:
            self._move("adjust", made, model, -model.balance)

    def _move(self, what: str, made: dict[str, Any], model: Meter, amount: Decimal) -> None:
        body = {"licenseId": made["id"], "amount": amount}
        if what == "adjust":
            body["reason"] = "A correction"
        expected: Outcome = getattr(model, what)(amount)
        answer = self._same(self._operator("POST", f"/api/meter/{what}", body), expected)
        if expected == OK:
            assert answer["balance"] == model.balance

    @rule(n=which, threshold=st.sampled_from([None, "0", "10", "25", "35", "60", "0.5", "28.75"]))
    def warn(self, n: int, threshold: str | None) -> None:
        made, model = self._license(n)
        given = Decimal(threshold) if threshold is not None else None
        path = f"/api/licenses/{made['id']}/meter-settings"
        expected = model.warn_at(given)
        answer = self._same(self._operator("PUT", path, {"lowBalanceThreshold": given}), expected)
        if expected == OK:
            assert answer["lowBalanceThreshold"] == model.threshold

    @rule(feature=st.sampled_from(FEATURES[:3]), cost=st.sampled_from(["1", "2.5", "0.000001"]))
    def price(self, feature: str, cost: str) -> None:
        self._price(feature, Decimal(cost))

    def _price(self, feature: str, cost: Decimal) -> None:
        path = f"/api/meter/features/{self.ids[feature]}/pricing"
        assert self._same(self._operator("PUT", path, {"tokenCost": cost}), OK)["active"] is True
        self.catalog.costs[self._named(feature).casefold()] = cost

    @rule(
        what=st.sampled_from(["suspend", "reinstate", "reinstate", "reinstate", "end"]),
        n=which,
        chosen=choice,
    )
    def change(self, what: str, n: int, chosen: int) -> None:
        """The end, which is final, comes seldom."""
        made, model = self._license(n)
        if what == "end":
            what = {0: "revoke", 1: "delete"}.get(chosen % 8, "reinstate")
        path, method = f"/api/licenses/{made['id']}/{what}", "POST"
        if what == "delete":
            path, method = f"/api/licenses/{made['id']}", "DELETE"
        expected: Outcome = getattr(model, what)()
        self._same(self._operator(method, path), expected)

    @rule(minutes=st.sampled_from([1, 30, 60, 60]))
    def pass_time(self, minutes: int) -> None:
        self.clock.advance(minutes=minutes)

    @rule(n=which)
    @precondition(lambda self: any(model.ends for _, model in self.licenses))
    def renew(self, n: int) -> None:
        made, model = self._license(n)
        ends = self.clock.now + timedelta(hours=1)
        body = {"expirationDate": ends.isoformat()}
        expected = model.renew(ends)
        self._same(self._operator("PUT", f"/api/licenses/{made['id']}", body), expected)

    @rule(n=which, chosen=choice, counted=st.booleans())
    def lose_and_repair(self, n: int, chosen: int, counted: bool) -> None:
        """The wallet is made anew from the ledger, whether or not that was in the totals."""
        made, model = self._license(n)
        if chosen % 4 or model.deleted:
            return
        if counted:
            self.run(roll_up(self.world.platform))
        self.run(self._lose(made))
        body = {"licenseId": made["id"], "repair": True}
        answer = self._same(self._operator("POST", "/api/meter/reconcile", body), model.repair())
        assert (answer["checked"], answer["mismatches"], answer["repaired"]) == (1, [], True)

    async def _lose(self, made: dict[str, Any]) -> None:
        async with self.world.platform.database.transaction() as db:
            await db.execute(delete(meter_wallets).where(meter_wallets.c.license_id == made["id"]))

    # What must be so

    @invariant()
    def the_balances_are_those_of_the_model(self) -> None:
        for made, model in self.licenses:
            [wallet] = self.run(rows_of(self.world.platform, meter_wallets, license_id=made["id"]))
            assert (wallet["balance"], wallet["version"]) == (model.balance, len(model.ledger))
            assert wallet["low_balance_threshold"] == model.threshold

    def teardown(self) -> None:
        for made, model in self.licenses:
            path = f"/api/licenses/{made['id']}/ledger?sort=sequence&pageSize=100"
            body = _decode(self._operator("GET", path).content)
            assert body["totalCount"] == len(model.ledger)
            assert [_entry(item) for item in body["items"]] == model.ledger
            assert self.run(self._told(made)) == model.told

    # How it is asked

    async def _told(self, made: dict[str, Any]) -> list[str]:
        statement = (
            select(events.c.kind)
            .where(events.c.subject_id == made["id"], events.c.kind.startswith("meter."))
            .order_by(events.c.id)
        )
        async with self.world.platform.database.reading() as db:
            return list((await db.execute(statement)).scalars())

    async def _ask(self, made: dict[str, Any], use: Use) -> Answer:
        body: dict[str, Any] = {"licenseKey": made["licenseKey"], "featureName": use.feature}
        if use.key is not None:
            body["idempotencyKey"] = use.key
        if use.quantity != 1:
            body["quantity"] = use.quantity
        answer = await self.world.call("POST", "/api/meter/consume", body)
        told = _decode(answer.content)
        if answer.is_success:
            assert told["quantity"] == use.quantity
            assert told["featureName"].casefold() == use.feature.casefold()
        fields = (told.get(name) for name in ("errorCode", "cost", "balance", "replayed"))
        return Answer(answer.status_code, *fields)

    def _operator(self, method: str, path: str, body: Any = None) -> httpx.Response:
        self.stay_signed_in()
        options: dict[str, Any] = {}
        if body is not None:
            headers = {"content-type": "application/json"}
            options = {"content": _encode(body), "headers": headers}
        return self.run(self.world.owner.send(method, path, **options))

    def _same(self, answer: httpx.Response, expected: Outcome) -> dict[str, Any]:
        body: dict[str, Any] = _decode(answer.content) if answer.content else {}
        assert (answer.status_code, body.get("errorCode")) == expected, answer.text
        return body


def _entry(item: dict[str, Any]) -> Entry:
    names = ("type", "amount", "balanceAfter", "sequence", "featureName", "quantity", "unitPrice",
             "idempotencyKey")  # fmt: skip
    return Entry(*(item[name] for name in names))


@pytest.mark.specification("licenses.initial-balance")
@pytest.mark.parametrize("kinds", KINDS)
def test_the_service_agrees_with_the_reference_model(
    world: World, loop: asyncio.AbstractEventLoop, kinds: Sequence[str]
) -> None:
    run_state_machine_as_test(lambda: Metering(world, loop, kinds), settings=SETTINGS)  # type: ignore[arg-type]
