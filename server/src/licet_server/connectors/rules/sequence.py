"""The order in which facts happened, whatever order they came in and whatever IDs they have.

Shops give times in whole seconds. Of one second, changes of a subscription follow each other by the
states before and after each of them, and a payment comes last, so that it takes nothing away.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec
from msgspec.structs import replace

from licet_server.connectors.rules.facts import Fact, FactKind, SubscriptionState


def in_order(facts: Iterable[Fact]) -> list[Fact]:
    """Return facts in the order in which they happened, each once."""
    once = {fact.event_id: fact for fact in facts}.values()
    found: list[Fact] = []
    state: str | None = None
    for _, same_time in groupby(
        sorted(once, key=lambda fact: fact.occurred_at), key=lambda fact: fact.occurred_at
    ):
        group = _sequenced(list(same_time), state)
        found += group
        state = next((fact.after for fact in reversed(group) if fact.after), state)
    return found


def _sequenced(facts: list[Fact], state: str | None) -> list[Fact]:
    if len(facts) == 1:
        return facts
    facts.sort(key=_tie)
    changes = [fact for fact in facts if _is_chained(fact)]
    if len(changes) < 2:
        return facts
    created = [fact.after for fact in facts if fact.after and fact.before is None]
    chained = iter(_chained(changes, created[0] if created else state))
    return [next(chained) if _is_chained(fact) else fact for fact in facts]


def _is_chained(fact: Fact) -> bool:
    return fact.before is not None and fact.after is not None and fact.rank == 1


def _tie(fact: Fact) -> tuple[int, int, bool, int, bytes]:
    """Return the sort key of facts of one time, which does not depend on their IDs."""
    if fact.kind is not FactKind.SUBSCRIPTION:
        place = 2 if fact.is_paid else 0
    else:
        place = 3 if fact.is_paid or fact.rank > 1 else 1
    said = msgspec.json.encode(replace(fact, event_id="", before=None, after=None))
    quantity = sum(line.quantity for line in fact.lines)
    return place, fact.rank, _is_chained(fact), fact.subscription * 10_000_000 + quantity, said


def _chained(changes: Sequence[Fact], state: str | None) -> list[Fact]:
    """Return changes so that each begins with the state in which the one before it ends."""
    left: defaultdict[str, list[Fact]] = defaultdict(list)
    balance: defaultdict[str, int] = defaultdict(int)
    for fact in reversed(changes):
        before, after = fact.before or "", fact.after or ""
        left[before].append(fact)
        balance[before] += 1
        balance[after] -= 1
    found: list[Fact] = []
    while any(left.values()):
        if state is None or not left[state]:
            state = _beginning(left, balance)
        trail = _trail(left, state)
        found += trail
        state = trail[-1].after
    return found


def _beginning(left: dict[str, list[Fact]], balance: dict[str, int]) -> str:
    """Return where a trail begins: a state that no change leads to, or the best of a circle."""
    places = [place for place, facts in left.items() if facts]
    ends = {fact.after: fact for facts in left.values() for fact in facts}
    loose = [place for place in places if balance[place] > 0]

    def worth(place: str) -> tuple[bool, bool, int, str]:
        end = ends.get(place)
        if end is None:
            return False, False, 0, place
        is_good = end.subscription is SubscriptionState.ACTIVE
        return True, is_good, sum(line.quantity for line in end.lines), place

    return min(loose, key=worth) if loose else max(places, key=worth)


def _trail(left: dict[str, list[Fact]], place: str) -> list[Fact]:
    """Return a trail through all changes that can be reached (the algorithm of Hierholzer)."""
    path: list[tuple[str, Fact | None]] = [(place, None)]
    found: list[Fact] = []
    while path:
        here, fact = path[-1]
        if left[here]:
            following = left[here].pop()
            path.append((following.after or "", following))
            continue
        path.pop()
        if fact is not None:
            found.append(fact)
    found.reverse()
    return found
