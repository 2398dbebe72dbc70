"""The market of the demo: who buys in the shop in two years, who renews, and who leaves.

Nothing is left to chance: what a buyer does follows from their number, and when they come from
the growth and the seasons of the market.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from itertools import accumulate
from typing import Any, TypeVar

DAYS = 728
BUYERS = 385
YEAR = 365
GROWTH = 3.0
"""So many times as many buyers come on the last day as on the first."""

SEASONS = (0.9, 0.95, 1.1, 1.05, 1.0, 0.9, 0.65, 0.6, 1.1, 1.2, 1.7, 1.4)
"""The weight of each month, from January: quiet summers, and a busy end of the year."""

RENEWING = 0.78
TRYING = 0.35
"""The shares of buyers who renew each year, and who try before they buy."""

T = TypeVar("T")

RATES = {"EUR": Decimal(1), "USD": Decimal("1.1"), "GBP": Decimal("0.87"), "JPY": Decimal(160)}


@dataclass(frozen=True, slots=True)
class Region:
    """Where buyers come from; `share` is how many of 100."""

    locale: str
    currency: str
    share: int
    first_names: str
    last_names: str


REGIONS = (
    Region(
        *("de-DE", "EUR", 36),
        "Anke Bernd Carina Dirk Elke Frauke Gregor Heike Ingo Jana Katrin Lars",
        "Albrecht Böhm Dietrich Engel Franke Graf Hartmann Jansen Krüger Lorenz Möller Pohl Seidel",
    ),
    Region(
        *("en-US", "USD", 28),
        "Alice Brandon Chloe Derek Emily Frank Grace Henry Isabel Jason Kayla Logan",
        "Adams Brooks Carter Dawson Ellis Foster Grant Hayes Irving Jordan Keller Lawson Mercer",
    ),
    Region(
        *("en-GB", "GBP", 16),
        "Aidan Beth Callum Daisy Ewan Fiona Gareth Holly Imogen Jack Kirsty Liam",
        "Ashworth Barlow Clarke Doyle Eastwood Fletcher Green Hobbs Ingram Kerr Lowe Marsh Norris",
    ),
    Region(
        *("fr-FR", "EUR", 14),
        "Adèle Bruno Camille Denis Elise Fabien Gaëlle Hélène Irène Julien Karine Luc",
        "Aubert Bonnet Caron Dupuis Fabre Girard Hubert Joly Lambert Marchand Noël Perrin Roche",
    ),
    Region(
        *("ja-JP", "JPY", 6),
        "Aiko Daichi Emi Fumio Haruka Isamu Jiro Kaori Makoto Naomi Ren Sakura",
        "Abe Endo Fujita Goto Hara Ikeda Kimura Mori Nakano Ogawa Saito Ueda Wada",
    ),
)
STUDIOS = (
    "Birch Cobalt Delta Ember Fjord Granite Harvest Indigo Juniper Lantern Meadow Quarry Slate"
)
TRADES = "Animation Architects Films Games Imaging Media Pictures Press"


@dataclass(frozen=True, slots=True)
class Plan:
    """What the shop sells; `share` is how many of 100 buy it, and `price` in euros a year.

    It is sold from the day `since`, with `seats` to firms, which buy from so many to so many.
    `terms` are those of its policy.
    """

    sku: str
    product: str
    policy: str
    price: int
    share: int
    terms: Mapping[str, Any]
    seats: tuple[int, int] | None = None
    since: int = -DAYS

    @property
    def is_yearly(self) -> bool:
        return "durationDays" in self.terms or "renewalGrant" in self.terms


@dataclass(frozen=True, slots=True)
class Buyer:
    """A customer of the shop."""

    name: str
    email: str
    locale: str = "en-US"
    currency: str = "EUR"


@dataclass(frozen=True, slots=True)
class ShopEvent:
    """A message of the shop, `day` days from today; `change` is the last part of its type."""

    day: float
    change: str
    order: str
    buyer: Buyer
    lines: tuple[tuple[str, int], ...] = ()
    amount: Decimal | None = None
    is_test: bool = False


@dataclass(frozen=True, slots=True)
class Lead:
    """Somebody who tries a product; most of them are buyers later."""

    day: float
    buyer: Buyer
    product: str


@dataclass(slots=True)
class History:
    """What happens in the market before today."""

    events: list[ShopEvent] = field(default_factory=list)
    leads: list[Lead] = field(default_factory=list)


def draw(*what: object) -> float:
    """Return a number from 0 to below 1 that looks like chance, the same for the same question."""
    digest = hashlib.sha256(repr(what).encode()).digest()
    return int.from_bytes(digest[:6]) / 2**48


def arrivals(today: date, count: int) -> Iterator[float]:
    """Yield the days, before today, on which buyers come; more of them each month."""
    weights = [_weight(today, day) for day in range(-DAYS + 10, -1)]
    sums = list(accumulate(weights))
    for number in range(count):
        wanted = sums[-1] * (number + draw("arrival", number)) / count
        yield bisect_right(sums, wanted) - DAYS + 10.3 + draw("hour", number) / 2


def _weight(today: date, day: int) -> float:
    on = today + timedelta(days=day)
    weekend = 0.4 if on.isoweekday() > 5 else 1.0
    return float(SEASONS[on.month - 1] * weekend * GROWTH ** (1 + day / DAYS))


def buyer(number: int) -> Buyer:
    """Return one of the buyers, each with a name of their own."""
    region = _share([(item, item.share) for item in REGIONS], draw("region", number))
    firsts, lasts = region.first_names.split(), region.last_names.split()
    first, last = firsts[number % len(firsts)], lasts[number % len(lasts)]
    address = f"{first}.{last}{number // (len(firsts) * len(lasts)) or ''}"
    email = f"{_ascii(address)}@example.com"
    return Buyer(f"{first} {last}", email, region.locale, region.currency)


def studio(number: int) -> Buyer:
    """Return one of the firms that buy for a team."""
    names, trades = STUDIOS.split(), TRADES.split()
    number %= len(names) * len(trades)
    name = f"{names[number % len(names)]} {trades[number % len(trades)]}"
    region = _share([(item, item.share) for item in REGIONS], draw("region", number))
    email = f"licenses@{name.lower().replace(' ', '-')}.example"
    return Buyer(name, email, region.locale, region.currency)


def _ascii(text: str) -> str:
    plain = {"ö": "oe", "ü": "ue", "è": "e", "é": "e", "ë": "e"}
    return "".join(plain.get(letter, letter) for letter in text.lower())


def _share(shares: Sequence[tuple[T, int]], drawn: float) -> T:
    sums = list(accumulate(share for _, share in shares))
    return shares[bisect_right(sums, drawn * sums[-1])][0]


def amount_of(plan: Plan, quantity: int, currency: str) -> Decimal:
    """Return what a quantity costs, in whole units of the currency."""
    return (plan.price * quantity * RATES[currency]).quantize(Decimal(1))


def history(today: date, plans: Sequence[Plan]) -> History:
    """Return the sales, renewals, cancellations and trials before today, in the order of time."""
    found = History()
    for number, day in enumerate(arrivals(today, BUYERS)):
        sold = [(item, item.share) for item in plans if item.since < day]
        plan = _share(sold, draw("plan", number))
        who = studio(number) if plan.seats else buyer(number)
        if draw("trial", number) < TRYING and not plan.seats:
            found.leads.append(Lead(day - 4 - 20 * draw("tries", number), who, plan.product))
            if draw("decides", number) < 0.5:
                continue
        found.events += _life(number, day, plan, who)
    found.events.sort(key=lambda event: event.day)
    found.leads.sort(key=lambda lead: lead.day)
    return found


def _life(number: int, day: float, plan: Plan, who: Buyer) -> Iterator[ShopEvent]:
    """Yield the order of a buyer, and what becomes of it year by year."""
    few, many = plan.seats or (1, 1)
    quantity = few + int((many - few + 1) * draw("seats", number) ** 2)
    price = amount_of(plan, quantity, who.currency)
    lines = ((plan.sku, quantity),)
    order = f"order-{number}"
    yield ShopEvent(day, "paid", order, who, lines, price)
    again = day + YEAR - 3 * draw("early", number)
    while plan.is_yearly and again < -1:
        if draw("renews", number, again > -YEAR) >= RENEWING:
            if draw("cancels", number) < 0.5:
                yield ShopEvent(again - 30 * draw("when", number), "canceled", order, who)
            return
        yield ShopEvent(again, "renewed", order, who, lines, price)
        again += YEAR
