"""The scenario of the demo: sales, releases and license changes of the last six weeks.

Days are relative to today: -7 is a week ago.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

FIRST_DAY = -42
STUDIO, RENDER = "Aurora Studio", "Aurora Render"
OFFLINE: Mapping[str, Any] = {"activationMode": "Offline"}
NOTIFIED: Mapping[str, Any] = {"notify": True}
APPEARANCE = {
    "color": "#4338ca",
    "welcome": "Your licenses of Aurora Studio and Aurora Render.",
    "supportEmail": "help@example.com",
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
class Change:
    """A change of a license on `day`; `action` is the last segment of the route."""

    day: int
    license_name: str
    action: str
    body: Mapping[str, Any] = field(default_factory=dict)
    term: int | None = None


RELEASES = (
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
"""The e-mail with which new licenses of Aurora Studio are sent."""

VALUED_FEATURES = {"max-projects": ("Number", "Projects"), "support": ("Text", "Support")}
SETS: Mapping[str, Mapping[str, bool | int | str]] = {
    "Standard": {"raw-import": True, "batch-export": True, "max-projects": 5, "support": "e-mail"},
    "Studio": {
        "raw-import": True,
        "batch-export": True,
        "ai-denoise": True,
        "max-projects": 25,
        "support": "phone",
    },
}

YEARLY, GIFT = "Studio, yearly", "Gift card, 90 days"
MAINTAINED = "Studio for ever, a year of updates"
POLICIES: Mapping[str, Mapping[str, Any]] = {
    YEARLY: {"type": "Subscription", "durationDays": 365, "graceDays": 14},
    GIFT: {"type": "Subscription", "durationDays": 90, "termStarts": "FirstUse"},
    MAINTAINED: {
        "type": "Perpetual",
        "updatesDays": 365,
        "metadata": {"renewUrl": "https://example.com/renew"},
    },
}

POOL, CREDITS, NIGHTS, COUNTER = "Render farm", "Render credits", "Night renders", "Frame exports"
TEAM, BOUND, WAITING = "Design team", "Workstation 7", "Workstation 8"
FIELD, RETURNED = "Field kit", "Tablet 2"
DESK = "Retouching desk"
"""The license that the introduction shows."""

SALES = (
    Sale(-42, STUDIO, "Perpetual", "Jo Miller", terms=OFFLINE, devices=["Jo's laptop"]),
    Sale(-41, RENDER, "Floating", "Harbor Films", POOL, terms={"maxActiveUsersCount": 10}),
    # Its term has ended; it keeps the releases until then.
    Sale(
        *(-41, STUDIO, "Subscription", "Pia Lang"),
        term=30,
        terms={"fallback": "ReleaseAtTermEnd", "fallbackAfterMonths": 1},
        devices=["Pia's laptop"],
    ),
    Sale(-40, RENDER, "MeteredToken", "Kestrel Games", CREDITS, terms={"initialMeterBalance": 500}),
    Sale(-40, RENDER, "MeteredCount", "Blue Door", COUNTER, terms={"initialMeterBalance": 20_000}),
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
    Sale(-20, STUDIO, "Perpetual", "Paul Martin", devices=["Paul's desktop"]),
    Sale(-19, STUDIO, "Subscription", "Gift Shop", "Gift card 1001", policy=GIFT),
    Sale(-16, STUDIO, "Trial", "Yuki Tanaka", term=30, devices=["Yuki's laptop"]),
    Sale(-15, STUDIO, "Subscription", "Eva Lind", term=365, devices=["Eva's laptop"]),
    Sale(-14, STUDIO, "Perpetual", "Sam Okafor", devices=["Sam's laptop"]),
    Sale(
        *(-12, STUDIO, "Concurrent", "Harbor Films", FIELD),
        terms={"maxActiveUsersCount": 3, **OFFLINE},
        devices=["Tablet 1", RETURNED],
    ),
    Sale(-11, RENDER, "Subscription", "Vera Popescu", term=365, devices=["Vera's desktop"]),
    Sale(-10, STUDIO, "Trial", "Nils Holm", term=30, devices=["Nils's laptop"]),
    Sale(-9, STUDIO, "Perpetual", "Ana Silva", policy=MAINTAINED, devices=["Ana's desktop"]),
    Sale(-6, STUDIO, "Subscription", "Omar Aziz", term=365, devices=["Omar's laptop"]),
    Sale(-5, STUDIO, "Perpetual", "Lena Fischer", devices=["Lena's laptop"]),
    Sale(-4, STUDIO, "Trial", "Hugo Blanc", term=30, devices=["Hugo's desktop"]),
    Sale(-3, STUDIO, "Subscription", "Mina Park", term=365, devices=["Mina's laptop"]),
    Sale(-2, STUDIO, "Perpetual", "Otto Klein", terms=NOTIFIED, devices=["Otto's laptop"]),
    Sale(
        *(-1, STUDIO, "NodeLocked", "Studio Nord", WAITING),
        terms={"deviceBindingMode": "OwnerApproval"},
    ),
    Sale(-1, STUDIO, "Trial", "Rosa Vega", term=30, terms=NOTIFIED, devices=["Rosa's laptop"]),
)

SHOP_PRODUCT = "aurora-studio-yearly"
SHOP_SALES = (
    ("Iris Wolf", SHOP_PRODUCT),
    ("Ben Adler", SHOP_PRODUCT),
    ("Carla Ruiz", "brush-pack"),
)
"""Who bought what in the web shop today."""

CHANGES = (
    Change(-22, "Kim Sato", "convert", {"type": "Subscription"}, term=365),
    Change(-14, "Ravi Nair", "revoke", {"reason": "The payment for INV-1017 was reversed."}),
    Change(-4, "Paul Martin", "suspend", {"reason": "INV-1026 is overdue."}),
)


def is_weekend(day: int) -> bool:
    """Check whether this is one of two quiet days out of seven, whatever the actual weekday."""
    return day % 7 in (2, 3)


def active_nodes(day: int) -> int:
    """Return the number of render nodes in use."""
    return 1 if is_weekend(day) else 3 + day * 5 % 4


def frames_rendered(day: int) -> int:
    """Return the frames rendered on a day, fewer on weekends and growing week by week."""
    return (4 if is_weekend(day) else 14 + day * 11 % 9) + (day - FIRST_DAY) // 7


def application_starts(day: int) -> int:
    """Return the number of application starts on all machines that send telemetry."""
    return (3 if is_weekend(day) else 9 + day * 7 % 6) + (day - FIRST_DAY) // 6
