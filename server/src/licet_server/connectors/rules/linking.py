"""Links events into orders: those that share a reference, directly or through others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Links:
    """The orders of events, by the IDs of the events, with new orders and merged ones.

    `references` are the new references with their orders. `merged` maps an order to the older order
    that it is part of.
    """

    orders: Mapping[UUID, UUID]
    created: tuple[UUID, ...]
    references: Mapping[str, UUID]
    merged: Mapping[UUID, UUID]


def link(
    events: Sequence[tuple[UUID, Sequence[str]]],
    known: Mapping[str, UUID],
    new_id: Callable[[], UUID],
) -> Links:
    """Return the orders of events with these references, given the orders of known references."""
    parents: dict[str, str] = {}

    def root(reference: str) -> str:
        while (parent := parents.setdefault(reference, reference)) != reference:
            parents[reference] = parents[parent]
            reference = parents[reference]
        return reference

    for _, references in events:
        for reference in references[1:]:
            parents[root(reference)] = root(references[0])
    first_of: dict[UUID, str] = {}
    for reference, order_id in known.items():
        # Known references of one order belong together, even if no event names several of them.
        parents[root(reference)] = root(first_of.setdefault(order_id, reference))

    members: dict[str, set[UUID]] = {}
    for reference, order_id in known.items():
        members.setdefault(root(reference), set()).add(order_id)
    chosen = {place: min(order_ids) for place, order_ids in members.items()}
    created: list[UUID] = []
    orders: dict[UUID, UUID] = {}
    for event_id, references in events:
        place = root(references[0])
        if place not in chosen:
            chosen[place] = new_id()
            created.append(chosen[place])
        orders[event_id] = chosen[place]
    unknown = {name for _, names in events for name in names} - known.keys()
    return Links(
        orders=orders,
        created=tuple(created),
        references={name: chosen[root(name)] for name in sorted(unknown)},
        merged={
            order_id: chosen[place]
            for place, order_ids in members.items()
            for order_id in order_ids
            if order_id != chosen[place]
        },
    )
