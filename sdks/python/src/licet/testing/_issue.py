"""Which terms a license may be issued on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Literal, TypedDict

from licet._keys import normal_form
from licet.testing._keys import make_license_key
from licet.testing._operator import resolve_time
from licet.testing._rules import CAPPED, MODELS, ONLINE_ONLY, TERM_LIMITED
from licet.testing._state import License, Wallet, new_id
from licet.testing._wallet import METER_MODES, Amount, positive_amount, record_entry

Model = Literal[
    "Perpetual",
    "Trial",
    "Subscription",
    "Floating",
    "Concurrent",
    "NodeLocked",
    "MeteredToken",
    "MeteredCount",
]
DEFAULT_TERM = timedelta(days=30)
DEFAULT_BALANCE = Decimal(1000)


class Terms(TypedDict, total=False):
    """The keyword arguments of :meth:`licet.testing.FakeServer.issue`.

    Attributes:
        seats: For Floating and Concurrent, which need it.
        expires: The end of the term, a moment with a time zone or a span from now; Trial and
            Subscription get 30 days unless told otherwise, the others have no end.
        activation_mode: ``Online``, or ``Offline`` where license.bin alone is enough.
        binding_mode: For NodeLocked: the first machine gets it, or the vendor approves one.
        username: For Perpetual, together with ``password``.
        features: The names of the features granted; by default nothing is restricted.
        initial_meter_balance: For MeteredToken and MeteredCount, which get 1000 unless told
            otherwise: exact tokens with up to six decimals, or whole uses.
        license_key: An imported key; by default one is made.
    """

    seats: int | None
    expires: datetime | timedelta | None
    activation_mode: Literal["Online", "Offline"]
    binding_mode: Literal["AutoBind", "OwnerApproval"] | None
    username: str | None
    password: str | None
    features: Sequence[str] | None
    initial_meter_balance: Amount | None
    metadata: Mapping[str, str]
    name: str
    issued_to: str | None
    issuer: str | None
    license_key: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseDraft:
    """Terms with their defaults."""

    seats: int | None = None
    expires: datetime | timedelta | None = None
    activation_mode: str = "Online"
    binding_mode: str | None = None
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    features: Sequence[str] | None = None
    initial_meter_balance: Amount | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    name: str = "Test license"
    issued_to: str | None = "customer@example.com"
    issuer: str | None = None
    license_key: str | None = field(default=None, repr=False)


def make_license(model: str, draft: LicenseDraft, now: datetime) -> License:
    """A license on these terms.

    Raises:
        ValueError: No such license can be issued; the message says why.
        ConfigurationError: The imported key cannot be one.
    """
    violation = _violation(model, draft)
    if violation is not None:
        raise ValueError(violation)
    key = draft.license_key or make_license_key()
    expires = draft.expires or (DEFAULT_TERM if model in TERM_LIMITED else None)
    return License(
        id=new_id(now),
        key=key,
        normal_key=normal_form(key),
        type=model,
        name=draft.name,
        issued_to=draft.issued_to,
        issuer=draft.issuer,
        expiration_date=None if expires is None else resolve_time(expires, now),
        seats=draft.seats,
        activation_mode=draft.activation_mode,
        binding_mode=(draft.binding_mode or "AutoBind") if model == "NodeLocked" else None,
        username=draft.username,
        password=draft.password,
        features=None if draft.features is None else tuple(draft.features),
        metadata=dict(draft.metadata),
        wallet=_wallet(model, draft.initial_meter_balance, now),
    )


def _wallet(model: str, balance: Amount | None, now: datetime) -> Wallet | None:
    mode = METER_MODES.get(model)
    if mode is None:
        return None
    wallet = Wallet(mode)
    initial = positive_amount(DEFAULT_BALANCE if balance is None else balance, mode)
    record_entry(wallet, "InitialGrant", initial, now)
    return wallet


def _violation(model: str, draft: LicenseDraft) -> str | None:
    if model not in MODELS:
        return f"there is no model {model!r}; there are {', '.join(MODELS)}"
    with_credentials = draft.username is not None
    rules = {
        "seats: 1 or more, for Floating and Concurrent only, which need it": (
            (model in CAPPED) != (draft.seats is not None)
            or (draft.seats is not None and draft.seats < 1)
        ),
        "activation_mode is Online or Offline": (
            draft.activation_mode not in {"Online", "Offline"}
        ),
        f"a {model} license is Online only": (
            model in ONLINE_ONLY and draft.activation_mode == "Offline"
        ),
        "binding_mode is AutoBind or OwnerApproval, for NodeLocked only": (
            draft.binding_mode not in {None, "AutoBind", "OwnerApproval"}
            or (draft.binding_mode is not None and model != "NodeLocked")
        ),
        "initial_meter_balance is for MeteredToken and MeteredCount only": (
            draft.initial_meter_balance is not None and model not in METER_MODES
        ),
        "username and password go together, for Perpetual only": (
            with_credentials != (draft.password is not None)
            or (with_credentials and model != "Perpetual")
        ),
    }
    return next((violation for violation, broken in rules.items() if broken), None)
