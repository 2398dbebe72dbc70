"""What renewals add to the balance of a license, each exactly once."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from licet_server.connectors.rules.licensing import Plan


@dataclass(frozen=True, slots=True)
class Renewals:
    """What to add to a balance and to take back, by payment, and the renewals counted then."""

    grants: tuple[tuple[str, Decimal], ...]
    taken_back: tuple[tuple[str, Decimal], ...]
    counted: Mapping[str, str | None]


def counted(
    before: Plan, after: Plan, granted: Mapping[str, str | None] | None
) -> Mapping[str, str | None]:
    """Return the renewals that were counted, with what each granted.

    Of a license from before renewals were counted, all are that do not extend its term now.
    """
    if granted is not None:
        return granted
    is_longer = before.ends_at is not None and (after.ends_at or before.ends_at) > before.ends_at
    known = after.renewals or ()
    return dict.fromkeys(known[:-1] if is_longer else known)


def renewed(known: Mapping[str, str | None], plan: Plan, amount: Decimal | None) -> Renewals:
    """Return what follows from the renewals of a plan when `known` ones were counted before.

    A refunded renewal is taken back with what it granted.
    """
    payments = plan.renewals or ()
    new = [payment for payment in payments if payment not in known]
    gone = {payment: text for payment, text in known.items() if payment not in payments}
    kept = {payment: text for payment, text in known.items() if payment in payments}
    return Renewals(
        grants=() if amount is None else tuple((payment, amount) for payment in new),
        taken_back=tuple((payment, Decimal(text)) for payment, text in gone.items() if text),
        counted={**kept, **dict.fromkeys(new, None if amount is None else f"{amount:f}")},
    )
