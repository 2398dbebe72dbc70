"""The scenario of the demo: products, releases, the team, and the customers with a story.

Days are relative to today: -7 is a week ago. The other customers come from the market.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from licet_server.demo.companies import Company
from licet_server.demo.market import DAYS, Buyer, Plan, ShopEvent, draw
from licet_server.licenses.rules.traits import LicenseType

FIRST_DAY = -DAYS
DAILY = -91
PLAYED = (*range(FIRST_DAY, DAILY, 7), *range(DAILY, 0))
"""The days on which machines are at work: first one a week, and each of the last thirteen weeks.
Sales are made on all days."""

INSTALLING = 0.9
"""The share of buyers who install at once."""

STUDIO, RENDER, FLOW = "Aurora Studio", "Aurora Render", "Aurora Flow"
LIBRARY, LIBRARY_DAY = "Aurora Library", -490
"""The product for companies, and the day on which they get it."""

PRODUCTS = {
    STUDIO: ("2.0.0", "Photo editing for studios."),
    RENDER: ("1.4.1", "Rendering on many nodes."),
    FLOW: ("0.9.0", "Tasks and approvals of a team."),
    LIBRARY: ("1.2.0", "Shared assets of a whole company."),
}
OFFLINE: Mapping[str, Any] = {"activationMode": "Offline"}
NOTIFIED: Mapping[str, Any] = {"notify": True}
COMPANIES = (
    Company("Harbor Films", "Hanna Reed", "hanna.reed@harbor-films.example"),
    Company("Ostwerk Energy", "Jan Kowal", "jan.kowal@ostwerk.example"),
)
INVITED = "procurement@kestrel-games.example"
"""Who has not yet accepted the product for companies."""

CONNECTED_DAY, DOWN_DAY = -24, -9
"""When the back office gets its webhook, and when it answers none."""

APPEARANCE: Mapping[str, Any] = {
    "displayName": "Aurora Software",
    "color": "#4338ca",
    "welcome": "Your licenses, the devices that use them, and your downloads.",
    "welcomeTranslations": {"de": "Ihre Lizenzen, die Geräte, die sie nutzen, und Ihre Downloads."},
    "supportEmail": "help@example.com",
    "renewalUrl": "https://example.com/renew?key={licenseKey}",
}
"""What customers see of the vendor in the portal."""


@dataclass(frozen=True, slots=True)
class Sale:
    """A license issued on `day`; `term` is its length in days."""

    day: int
    product: str
    model: str
    customer: str
    name: str = ""
    term: int | None = None
    terms: Mapping[str, Any] = field(default_factory=dict)
    devices: Sequence[str] = ()
    entitlements: str = ""
    policy: str = ""
    for_company: bool = False

    @property
    def license_name(self) -> str:
        return self.name or self.customer

    @property
    def address(self) -> str:
        return f"{self.customer.lower().replace(' ', '.')}@example.com"


@dataclass(frozen=True, slots=True)
class Release:
    """A version of Aurora Studio published on `day`."""

    day: int
    version: str
    notes: str


@dataclass(frozen=True, slots=True)
class Colleague:
    """Somebody who joins the Owner on `day`; Members see only the products named."""

    day: int
    name: str
    role: str
    products: Sequence[str] = ()

    @property
    def email(self) -> str:
        return f"{self.name.lower().replace(' ', '.')}@example.com"


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a license on `day`; `action` is the last segment of the route."""

    day: float
    license_name: str
    action: str
    body: Mapping[str, Any] = field(default_factory=dict)
    term: int | None = None


@dataclass(frozen=True, slots=True)
class Visit:
    """A request of a machine on `day`."""

    day: float
    license_name: str
    device: str
    path: str = "/api/licenses/validate"


@dataclass(frozen=True, slots=True)
class Loan:
    """A seat that a machine borrows on `day`."""

    day: int
    license_name: str
    device: str
    borrowed_days: int


@dataclass(frozen=True, slots=True)
class Voyage:
    """Credits that a machine reserves on `day`; `rendered` are its uses, by day of report."""

    day: int
    license_name: str
    device: str
    amount: int
    reserved_days: int
    rendered: Mapping[int, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Errand:
    """A request of a machine without a network, which somebody carries to the Offline desk."""

    day: float
    license_name: str
    device: str
    is_approved: bool


@dataclass(frozen=True, slots=True)
class Rollout:
    """Containers that start on `day`; new ones enroll with the deployment key named `key`."""

    day: float
    key: str
    containers: Sequence[str]


RELEASES = (
    Release(-721, "2.1.0", "Curves for each channel."),
    Release(-455, "2.2.0", "Opens panoramas of 2 gigapixels."),
    Release(-329, "2.3.0", "Presets are shared by a team."),
    Release(-210, "3.0.0", "A new engine for color, and a dark theme."),
    Release(-28, "3.1.0", "Layers in groups. Exports run in the background."),
    Release(-7, "3.2.0", "Denoise learns from neighboring frames. Opens RAW twice as fast."),
)

LOCALES = {"Otto Klein": "de-AT", "Lena Fischer": "de"}
"""The languages of customers, where they are known."""

WELCOME: Mapping[str, Any] = {
    "senderName": "Aurora",
    "replyTo": "help@aurora.example",
    "translations": {
        "en": {
            "subject": "Your license for {product}",
            "body": "Hello {customer},\n\nthank you for choosing **{product}**. Your license key is"
            "\n\n`{licenseKey}`\n\n- Valid until: {expirationDate}\n\nSee your license: {portal}"
            "\n\nThe Aurora team",
        },
        "de": {
            "subject": "Ihre Lizenz für {product}",
            "body": "Guten Tag {customer},\n\nvielen Dank für **{product}**. Ihr Schlüssel ist"
            "\n\n`{licenseKey}`\n\n- Gültig bis: {expirationDate}\n\nIhre Lizenz: {portal}\n\n"
            "Das Aurora-Team",
        },
    },
}
"""The email with which new licenses of Aurora Studio are sent."""

VALUED_FEATURES = {"max-projects": ("Number", "Projects"), "support": ("Text", "Support")}
SETS: Mapping[str, Mapping[str, bool | int | str]] = {
    "Standard": {"raw-import": True, "batch-export": True, "max-projects": 5, "support": "email"},
    "Studio": {
        "raw-import": True,
        "batch-export": True,
        "ai-denoise": True,
        "max-projects": 25,
        "support": "phone",
    },
}

YEARLY, GIFT, MONTHLY = "Studio, yearly", "Gift card, 90 days", "Studio, by the month"
MAINTAINED = "Studio for ever, a year of updates"
ANNUAL: Mapping[str, Any] = {"type": "Subscription", "durationDays": 365, "graceDays": 14}
POLICIES: Mapping[str, Mapping[str, Any]] = {
    GIFT: {"type": "Subscription", "durationDays": 90, "termStarts": "FirstUse"},
    MONTHLY: {"type": "Subscription", "durationMonths": 1, "graceDays": 3},
}
"""Policies of Aurora Studio for what the shop does not sell."""

SHOP_PRODUCT = "aurora-studio-yearly"
PLANS = (
    Plan(SHOP_PRODUCT, STUDIO, YEARLY, 149, 42, ANNUAL),
    Plan(
        *("aurora-studio-forever", STUDIO, MAINTAINED, 349, 10),
        {"type": "Perpetual", "updatesDays": 365},
    ),
    Plan("aurora-render-yearly", RENDER, "Render, yearly", 490, 17, ANNUAL),
    Plan(
        *("aurora-render-credits", RENDER, "500 render credits", 199, 5),
        {"type": "MeteredToken", "initialMeterBalance": 500, "renewalGrant": 500},
    ),
    Plan(
        *("aurora-flow-team", FLOW, "Flow for a team", 59, 14),
        {**ANNUAL, "type": "Concurrent", "maxActiveUsersCount": 3},
        seats=(3, 25),
        since=-480,
    ),
    Plan(
        *("aurora-flow-floating", FLOW, "Flow, floating", 89, 6),
        {**ANNUAL, "type": "Floating", "maxActiveUsersCount": 2},
        seats=(2, 12),
        since=-480,
    ),
    Plan(
        *("aurora-flow-station", FLOW, "Flow for one workstation", 69, 9),
        {**ANNUAL, "type": "NodeLocked"},
        since=-300,
    ),
)
"""What the web shop sells, at which price."""

POOL, CREDITS, NIGHTS, COUNTER = "Render farm", "Render credits", "Night renders", "Frame exports"
TEAM, BOUND, WAITING = "Design team", "Workstation 7", "Workstation 8"
PLANT, RETURNED = "Plant Lausitz", "Control room 2"
FLEET, CLUSTER, SPOT = "Render containers", "Render cluster", "Spot instances"
SHARED, OVERDUE = "Leo's workstation", "Paul Martin"
SECOND_TRIAL, TRIED_BEFORE = "Tom Weber, once more", "Tom's laptop"
DESK = "Retouching desk"
"""The license that the introduction shows."""

POOL_SEATS = 10
NODES = (
    (-0.152, None),
    (-0.147, 52),
    (-0.139, 55),
    (-0.121, 46),
    (-0.104, 57),
    (-0.083, 50),
    (-0.071, 54),
    (-0.052, 41),
    (-0.021, 56),
)
"""When today's render nodes took their seats, and the minutes of the last hour in which they were
heard of last; one went quiet before it."""
ALL_HEARD_OF = -0.04
TURNED_AWAY = (-0.019, -0.012, 0.007)
"""When more of them found no seat."""
STAFF = (
    Colleague(-700, "Mara Lindner", "Admin"),
    Colleague(-546, "Jonas Weiss", "Member", (STUDIO, FLOW)),
    Colleague(-301, "Yara Finch", "Viewer"),
    Colleague(-52, "Theo Brandt", "Member", (RENDER,)),
)
"""Who works with the Owner."""
ADMIN = "mara.lindner@example.com"
"""The colleague who sorts licenses."""

SALES = (
    Sale(
        *(-693, RENDER, "Floating", "Harbor Films", POOL),
        terms={"maxActiveUsersCount": POOL_SEATS, "maxBorrowDays": 30, "maxBorrowedSeats": 3},
    ),
    Sale(
        *(-644, RENDER, "MeteredToken", "Kestrel Games", CREDITS),
        terms={"initialMeterBalance": 500, "maxBorrowDays": 30, "maxOfflineCredits": 250},
    ),
    Sale(
        *(-560, RENDER, "MeteredCount", "Blue Door", COUNTER), terms={"initialMeterBalance": 50_000}
    ),
    Sale(
        *(LIBRARY_DAY, LIBRARY, "Concurrent", "Harbor Films", "Library, all sites"),
        terms={"maxActiveUsersCount": 25},
        devices=["Cutting room 1", "Cutting room 2", "Archive"],
        for_company=True,
    ),
    Sale(
        *(-315, LIBRARY, "Subscription", "Ostwerk Energy", "Library of the press office"),
        term=365,
        devices=["Press office"],
        for_company=True,
    ),
    Sale(-238, STUDIO, "NodeLocked", "Leo Marchetti", SHARED, devices=[SHARED]),
    *(
        Sale(
            *(-154, FLOW, "Concurrent", "Ostwerk Energy", name),
            terms={"maxActiveUsersCount": 4, "offlineActivation": "Approval", **OFFLINE},
            devices=["Control room 1", RETURNED],
        )
        for name in (PLANT, "Plant Harz", "Plant Elbe")
    ),
    Sale(-48, RENDER, "Concurrent", "Kestrel Games", FLEET, terms={"maxActiveUsersCount": 16}),
    Sale(-42, STUDIO, "Perpetual", "Jo Miller", terms=OFFLINE, devices=["Jo's laptop"]),
    # Its term has ended; it keeps the releases until then.
    Sale(
        *(-41, STUDIO, "Subscription", "Pia Lang"),
        term=30,
        terms={"fallback": "ReleaseAtTermEnd", "fallbackAfterMonths": 1},
        devices=["Pia's laptop"],
    ),
    Sale(-38, STUDIO, "Trial", "Kim Sato", term=30, devices=["Kim's laptop"]),
    Sale(
        *(-37, STUDIO, "Subscription", "Lee Novak"),
        term=60,
        devices=["Lee's desktop"],
        entitlements="Standard",
    ),
    Sale(
        *(-35, STUDIO, "Concurrent", "Studio Nord", TEAM),
        terms={"maxActiveUsersCount": 5},
        devices=["Anna's laptop", "Ben's desktop", "Meeting room"],
    ),
    Sale(
        *(-34, STUDIO, "Floating", "Northlight", DESK),
        terms={"maxActiveUsersCount": 5},
        entitlements="Studio",
    ),
    Sale(-33, STUDIO, "Trial", "Asa Berg", term=30, devices=["Asa's laptop"]),
    Sale(-32, STUDIO, "Perpetual", "Ravi Nair", devices=["Ravi's desktop"]),
    Sale(-30, RENDER, "Subscription", "Maria Rossi", term=365, devices=["Maria's workstation"]),
    Sale(-27, STUDIO, "NodeLocked", "Harbor Films", BOUND, terms=OFFLINE, devices=[BOUND]),
    Sale(-26, STUDIO, "Trial", "Tom Weber", term=30, devices=["Tom's laptop"]),
    Sale(-25, STUDIO, "Perpetual", "Ines Costa", devices=["Ines's laptop", "Ines's desktop"]),
    Sale(
        *(-22, STUDIO, "Subscription", "Noor Haddad"),
        terms={"featureValues": {"max-projects": 100}},
        devices=["Noor's laptop"],
        policy=YEARLY,
    ),
    Sale(-21, RENDER, "MeteredToken", "Maria Rossi", NIGHTS, terms={"initialMeterBalance": 300}),
    Sale(-20, STUDIO, "Perpetual", OVERDUE, devices=["Paul's desktop"]),
    Sale(-19, STUDIO, "Subscription", "Gift Shop", "Gift card 1001", policy=GIFT),
    Sale(-16, STUDIO, "Trial", "Yuki Tanaka", term=30, devices=["Yuki's laptop"]),
    Sale(-15, STUDIO, "Subscription", "Eva Lind", term=365, devices=["Eva's laptop"]),
    Sale(-14, STUDIO, "Perpetual", "Sam Okafor", devices=["Sam's laptop"]),
    Sale(-12, STUDIO, "Subscription", "Zoe Marsh", policy=MONTHLY, devices=["Zoe's laptop"]),
    Sale(-11, RENDER, "Subscription", "Vera Popescu", term=365, devices=["Vera's desktop"]),
    Sale(-10, STUDIO, "Trial", "Nils Holm", term=30, devices=["Nils's laptop"]),
    Sale(-9, STUDIO, "Perpetual", "Ana Silva", policy=MAINTAINED, devices=["Ana's desktop"]),
    Sale(-6, STUDIO, "Subscription", "Omar Aziz", term=365, devices=["Omar's laptop"]),
    Sale(-5, STUDIO, "Perpetual", "Lena Fischer", devices=["Lena's laptop"]),
    Sale(-4, STUDIO, "Trial", "Hugo Blanc", term=30, devices=["Hugo's desktop"]),
    Sale(-3, STUDIO, "Trial", "Tom Weber", SECOND_TRIAL, term=30),
    Sale(-3, STUDIO, "Subscription", "Mina Park", term=365, devices=["Mina's laptop"]),
    Sale(-2, STUDIO, "Perpetual", "Otto Klein", terms=NOTIFIED, devices=["Otto's laptop"]),
    Sale(
        *(-1, STUDIO, "NodeLocked", "Studio Nord", WAITING),
        terms={"deviceBindingMode": "OwnerApproval"},
    ),
    Sale(-1, STUDIO, "Trial", "Rosa Vega", term=30, terms=NOTIFIED, devices=["Rosa's laptop"]),
)


def _story(
    change: str,
    day: float,
    name: str,
    sku: str = SHOP_PRODUCT,
    amount: int = 149,
    *,
    is_test: bool = False,
) -> ShopEvent:
    address = f"{name.lower().replace(' ', '.')}@example.com"
    lines = ((sku, 1),) if change in {"paid", "renewed"} else ()
    return ShopEvent(
        *(day, change, f"{name}'s order", Buyer(name, address), lines),
        amount=Decimal(amount) if lines or change == "refunded" else None,
        is_test=is_test,
    )


DISPUTED, UNKNOWN = "Clara Hoffmann", "Carla Ruiz"
STORIES = (
    _story("paid", -370, "Peter Olsen"),
    _story("payment_failed", -3.4, "Peter Olsen"),
    _story("paid", -210.4, "Nadia Rahman", "aurora-render-yearly", 490),
    _story("disputed", -180.4, "Nadia Rahman"),
    _story("dispute_won", -140.4, "Nadia Rahman"),
    _story("paid", -25.4, DISPUTED, "aurora-render-yearly", 490),
    _story("disputed", -2.4, DISPUTED),
    _story("paid", -12.4, "Marek Dvorak"),
    _story("refunded", -5.4, "Marek Dvorak"),
    _story("paid", -3.3, "Test Buyer", is_test=True),
    _story("paid", -0.55, "Iris Wolf"),
    _story("paid", -0.24, "Ben Adler"),
    _story("paid", -0.06, UNKNOWN, "brush-pack", 29),
)
"""The orders with a story: a failed payment, disputes, a refund, a test, and today's."""

VISITS = (
    *(Visit(-19 + 2 * n, SHARED, f"DESKTOP-{4127 * n % 10_000:04}") for n in range(9)),
    *(
        Visit(-9, plant, room, "/api/licenses/refresh")
        for plant in (PLANT, "Plant Harz", "Plant Elbe")
        for room in ("Control room 1", RETURNED)
    ),
    Visit(-0.15, BOUND, "Unknown laptop"),
    Visit(0.025, WAITING, WAITING),
)
"""Machines that are not those of a license, and offline ones that fetch their next file."""

LOANS = (Loan(-4, POOL, "Truck on location", borrowed_days=21),)
"""Seats that are away."""

VOYAGES = (
    Voyage(
        *(-6, CREDITS, "Render box at sea"),
        amount=150,
        reserved_days=21,
        rendered={-4: (6, 3), -1: (8, 5, 2)},
    ),
)
"""Machines that spend credits without a network, and report when they are in a harbor."""

ERRANDS = (
    Errand(-12, "Plant Elbe", "Turbine hall", is_approved=True),
    Errand(-0.11, "Plant Elbe", "Lock chamber", is_approved=False),
)
"""Machines that never have a connection: one is activated, and one waits for approval."""

IDLE_DAYS = 7
"""After how many days a new container takes the seat of one that was not seen since."""

ENROLLMENT_KEYS: Mapping[str, Mapping[str, Any]] = {CLUSTER: {}, SPOT: {"maxDevices": 200}}
_PODS = [f"render-{number}" for number in range(6)]
ROLLOUTS = (
    Rollout(-47, CLUSTER, _PODS),
    Rollout(-20, SPOT, ["spot-5c1e", "spot-9b40", "spot-c7d2", "spot-e318"]),
    Rollout(
        *(-9, SPOT),
        ["spot-0fa6", "spot-2d73", "spot-61b8", "spot-84ce", "spot-a95f", "spot-d20b"],
    ),
    Rollout(-4, CLUSTER, _PODS),
    # The fleet is full: these take the seats of the spot instances that are gone for longest.
    Rollout(-3, SPOT, ["spot-17e9", "spot-3b82", "spot-f046"]),
    Rollout(-0.4, CLUSTER, _PODS),
)
"""A fleet, whose spot instances vanish without giving up their seats."""

LICENSES_TO_TRY = {
    "SuspendedLicense": OVERDUE,
    "SharedKey": SHARED,
    "FullPool": POOL,
    "OfflineSeat": PLANT,
    "IdleFleet": FLEET,
}
ORDERS_TO_TRY = {"UnmatchedOrder": UNKNOWN, "DisputedOrder": DISPUTED}
"""What Home proposes to try: a license or the order of a customer, by kind of situation."""

CHANGES = (
    Change(-22, "Kim Sato", "convert", {"type": "Subscription"}, term=365),
    Change(-14, "Ravi Nair", "revoke", {"reason": "The payment for INV-1017 was reversed."}),
    Change(-8, "Vera Popescu", "revoke", {"reason": "Meant for another customer."}),
    Change(-8, "Vera Popescu", "restore"),
    Change(-4, OVERDUE, "suspend", {"reason": "INV-1026 is overdue."}),
    Change(-3, OVERDUE, "notes", {"note": "Paul called: accounting pays INV-1026 this week."}),
    # Its key was published; the application has two weeks to get the new one.
    Change(-0.45, "Sam Okafor", "rekey", {"graceDays": 14}),
)
MOVED = {"Eva Lind": "eva@lind-retouching.example"}
"""Customers with a new address, to which their licenses move."""

TAGS: Mapping[str, Sequence[str]] = {
    "renderer": (POOL, CREDITS, NIGHTS, FLEET),
    "key account": (POOL, TEAM, BOUND, WAITING, PLANT, "Plant Harz", "Plant Elbe"),
}
"""The tags with which an Admin sorts licenses."""


def devices_of(license_: Mapping[str, Any]) -> list[str]:
    """Return the machines on which a buyer of the shop installs at once."""
    if LicenseType(license_["type"]).traits.online_only:
        return []
    name, seats = license_["issuedTo"].partition("@")[0], license_["maxActiveUsersCount"] or 1
    if seats > 1:
        return [f"{license_['issuedTo'].partition('@')[2].partition('.')[0]}-1"]
    return [f"{name}-pc"] if draw("installs", name) < INSTALLING else []


def is_weekend(day: int) -> bool:
    """Check whether this is one of two quiet days out of seven, whatever the actual weekday."""
    return day % 7 in (2, 3)


def active_nodes(day: int) -> int:
    """Return the number of render nodes that are at work on a day before today."""
    return 0 if day < DAILY else 1 if is_weekend(day) else 2 + day * 5 % 4


def frames_rendered(day: int) -> int:
    """Return the frames rendered on a day, fewer on weekends and growing over the years."""
    return (4 if is_weekend(day) else 14 + day * 11 % 9) + (day - FIRST_DAY) // 122


def application_starts(day: int) -> int:
    """Return the number of application starts on a machine that sends telemetry."""
    return (3 if is_weekend(day) else 9 + day * 7 % 6) + (day - DAILY) // 6
