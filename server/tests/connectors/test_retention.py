"""Who pays again, by the month of the first purchase."""

from datetime import UTC, datetime

from connectors.factories import open_stall
from connectors.test_sales import sell
from licenses.factories import make_product
from testkit import FakeClock, Owner

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.connectors.rules.retention import Cohort, Renewers, cohorts
from licet_server.kit.platform import Platform

PATH = "/api/statistics/retention"
DECEMBER = 2028 * 12 + 11


def test_a_window_is_told_once_its_last_month_is_over() -> None:
    found = [
        Renewers(DECEMBER + 1, None, 4),
        Renewers(DECEMBER, 12, 5),
        Renewers(DECEMBER, None, 2),
        Renewers(DECEMBER, 3, 1),
    ]
    of_december = ((1, 0), (3, 1), (6, 1))
    assert cohorts(found, datetime(2029, 12, 31, 23, tzinfo=UTC)) == [
        Cohort("2028-12", 8, 6, of_december),
        Cohort("2029-01", 4, 0, ((1, 0), (3, 0), (6, 0))),
    ]
    assert cohorts(found, datetime(2030, 1, 1, tzinfo=UTC))[0].within == (*of_december, (12, 6))


async def test_customers_count_once_in_the_month_of_their_first_real_purchase(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    buyers = ({"email": f"{name}@example.com"} for name in ("ada", "bob", "eve", "tess"))
    ada, bob, eve, tess = buyers

    async def paid(number: int, kind: str, at: str, who: dict[str, str], **data: object) -> None:
        await sell(stall, number, f"order.{kind}", timestamp=at, customer=who, **data)

    await paid(1, "paid", "2029-01-31T23:59:59Z", ada, amount="10")
    await paid(1, "renewed", "2029-03-01T00:00:00Z", ada, amount="10")
    await paid(1, "refunded", "2029-03-02T00:00:00Z", ada, amount="10")
    await paid(2, "paid", "2029-06-01T00:00:00Z", ada, amount="7", currency="USD")
    await paid(3, "paid", "2028-12-01T00:00:00Z", bob, amount="0")
    await paid(3, "renewed", "2029-01-01T00:00:00Z", bob, amount="10")
    await paid(4, "paid", "2029-06-01T00:00:00Z", eve, amount="10")
    await paid(6, "paid", "2039-06-01T00:00:00Z", {"email": "late@example.com"}, amount="10")
    await paid(5, "paid", "2029-06-01T00:00:00Z", tess, amount="10", testMode=True)
    found = await owner.ok("GET", PATH)
    assert [(it["month"], it["customers"], it["renewed"]) for it in found["months"]] == [
        ("2029-01", 2, 1),
        ("2029-06", 1, 0),
    ]
    assert found["months"][0]["within"] == [
        {"months": 1, "customers": 0},
        {"months": 3, "customers": 1},
        {"months": 6, "customers": 1},
    ]
    [product] = (await owner.ok("GET", "/api/products"))["items"]
    assert await owner.ok("GET", f"{PATH}?productId={product['id']}") == found
    other = await make_product(owner, name="Borealis")
    assert await owner.ok("GET", f"{PATH}?productId={other['id']}") == {"months": []}
