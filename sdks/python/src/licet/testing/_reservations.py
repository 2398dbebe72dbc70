"""Reserved credits: what a device spends without the server, and how that is charged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from licet._amounts import EXACT, plain
from licet._journal_line import JournalLine, Spent, genesis, line_hash, read_line
from licet.testing._holds import held_credits, metered, put_back, set_aside
from licet.testing._problems import Refused, bad_fields
from licet.testing._rules import in_fallback
from licet.testing._state import Hold, Lease, License, Outcome, Price, State
from licet.testing._wallet import exact_amount, record_entry


def read_spent(claims: Mapping[str, Any]) -> Spent:
    """Read the claims of a receipt for credits."""
    try:
        return Spent.of_claims(claims)
    except ValueError as error:
        raise bad_fields([("receipt", "does not say what was used.")]) from error


def read_amount(license_: License, amount: object) -> Decimal:
    """Read how many credits are to be reserved."""
    if isinstance(amount, bool) or not isinstance(amount, int | float):
        raise bad_fields([("amount", "is missing." if amount is None else "must be a number.")])
    try:
        exact = exact_amount(str(amount), metered(license_).mode)
    except ValueError as error:
        raise bad_fields([("amount", f"{error}.")]) from error
    if exact <= 0:
        raise bad_fields([("amount", "must be more than 0.")])
    return exact


def hold_credits(state: State, lease: Lease, amount: Decimal, now: datetime) -> None:
    """Set credits aside for a lease, at the prices of now."""
    license_ = lease.license
    wallet, most = metered(license_), license_.max_offline_credits
    if in_fallback(license_, now):
        raise Refused("LicenseExpired", "The term has ended, and no balance is kept. Renew it.")
    if most is None:
        raise Refused("LeaseLimitReached", "Credits of this license are not reserved.")
    if EXACT.add(held_credits(license_, now), amount) > most:
        raise Refused(
            "LeaseLimitReached", f"At most {plain(most)} credits of this license may be reserved."
        )
    if wallet.balance < amount:
        shortfall = {"cost": amount, "balance": wallet.balance, "replayed": False}
        raise Refused("InsufficientBalance", extra=shortfall)
    is_counted = wallet.mode == "Count"
    prices = None if is_counted else _prices(state, license_)
    any_feature = is_counted and license_.features is None
    set_aside(lease, Hold(amount, amount, prices, any_feature, genesis(lease.id)), now)


def credit_claims(lease: Lease, hold: Hold) -> dict[str, Any]:
    """What a token says about the credits."""
    claims: dict[str, Any] = {"quantity": plain(hold.amount), "mode": metered(lease.license).mode}
    if hold.prices is not None:
        claims["prices"] = {name: plain(price) for name, price in hold.prices.items()}
    if hold.any_feature:
        claims["anyFeature"] = True
    return claims


def settle(lease: Lease, hold: Hold, spent: Spent, journal: Sequence[str], now: datetime) -> None:
    """Charge the lines that are new, all or none.

    Raises:
        Refused: Lines are missing or not as they should be, or the lease is ``LeaseForked``.
    """
    raw = [line.encode(errors="surrogatepass") for line in journal]
    lines = [_read(line) for line in raw]
    hashes = [line_hash(line) for line in raw]
    _require_whole(lines, hashes, spent)
    first = lines[0].number if lines else spent.lines + 1
    if first > hold.settled + 1 and spent.lines >= hold.settled:
        raise _bad_journal("has lines missing before it.")
    if spent.lines < hold.settled or _head_at(hold, first, lines, hashes, spent) != hold.head:
        lease.forked = True
        raise Refused("LeaseForked")
    new = lines[hold.settled + 1 - first :]
    _require_priced(lease, hold, new, spent)
    cost = spent.used - hold.used
    put_back(lease, cost, now)
    wallet = metered(lease.license)
    charged = {entry.idempotency_key for entry in wallet.ledger if entry.type == "Consume"}
    for line in new:
        if line.key not in charged:
            charged.add(line.key)
            _charge(lease, hold, line, now)
    hold.settled, hold.head, hold.used = spent.lines, spent.head, spent.used


def _prices(state: State, license_: License) -> dict[str, Decimal]:
    granted = license_.features
    allowed = None if granted is None else {name.casefold() for name in granted}
    return {
        price.feature: price.token_cost
        for name, price in state.prices.items()
        if allowed is None or name in allowed
    }


def _read(line: bytes) -> JournalLine:
    try:
        return read_line(line)
    except ValueError as error:
        raise _bad_journal(f"is not one: {error}.") from error


def _require_whole(lines: list[JournalLine], hashes: list[str], spent: Spent) -> None:
    """Check that the lines follow each other up to the last one of the receipt."""
    for index, line in enumerate(lines[1:], 1):
        if line.number != lines[0].number + index or line.before != hashes[index - 1]:
            raise _bad_journal("is not one chain.")
    if lines and (lines[-1].number, hashes[-1]) != (spent.lines, spent.head):
        raise _bad_journal("does not end where the receipt does.")


def _head_at(
    hold: Hold, first: int, lines: list[JournalLine], hashes: list[str], spent: Spent
) -> str:
    """The hash of the last settled line, as this journal has it."""
    if first <= hold.settled:
        return hashes[hold.settled - first]
    return lines[0].before if lines else spent.head


def _require_priced(lease: Lease, hold: Hold, new: list[JournalLine], spent: Spent) -> None:
    cost = Decimal(0)
    for line in new:
        if line.cost != EXACT.multiply(_price(lease, hold, line), Decimal(line.quantity)):
            raise _bad_journal("has a line with a wrong cost.")
        cost = EXACT.add(cost, line.cost)
    if cost > hold.left:
        raise _bad_journal("costs more than was reserved.")
    if EXACT.add(hold.used, cost) != spent.used:
        raise bad_fields([("receipt", "has another sum than the journal.")])


def _price(lease: Lease, hold: Hold, line: JournalLine) -> Decimal:
    feature = line.feature.casefold()
    if hold.prices is not None:
        known = {name.casefold(): price for name, price in hold.prices.items()}
    else:
        known = {name.casefold(): Decimal(1) for name in lease.license.features or ()}
    price = Decimal(1) if hold.any_feature else known.get(feature)
    if price is None:
        raise _bad_journal("has a feature that was not reserved.")
    return price


def _charge(lease: Lease, hold: Hold, line: JournalLine, now: datetime) -> None:
    wallet = metered(lease.license)
    price = Price(line.feature, _price(lease, hold, line))
    entry = record_entry(
        wallet,
        "Consume",
        line.cost.copy_negate(),
        now,
        feature_name=price.feature,
        quantity=line.quantity,
        unit_price=price.token_cost if hold.prices is not None else None,
        idempotency_key=line.key,
        lease_id=lease.id,
    )
    members = {
        "success": True,
        "licenseId": lease.license.id,
        "featureName": price.feature,
        "quantity": line.quantity,
        "cost": line.cost,
        "balance": entry.balance_after,
        "ledgerEntryId": entry.id,
    }
    wallet.outcomes[line.key] = Outcome(
        line.feature.casefold(), line.quantity, refused=False, members=members
    )


def _bad_journal(message: str) -> Refused:
    return bad_fields([("journal", message)])
