"""How races for seats are judged: by what clients were told, and when.

A life is what one client may rely on: from the moment at which it heard that it has a seat, until
the end of the last promise that it was given, or until it asked to leave. That is never longer
than the service's own view, so that whoever finds too many lives at once has found a fault.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from e2e.fleet import Answer

from licet_server.kit.clock import system_clock

FOREVER = datetime.max.replace(tzinfo=UTC)


@dataclass
class Life:
    """A seat of one client. `decided` is the server's instant, where an answer tells it."""

    id: str
    sent: datetime
    arrived: datetime
    until: datetime = FOREVER
    decided: datetime | None = None


def most_at_once(
    lives: Iterable[Life], begin: Callable[[Life], datetime] = lambda life: life.arrived
) -> int:
    """The largest number that lived at any instant; at `until` a life is over."""
    spans = [(begin(life), life.until) for life in lives if begin(life) < life.until]
    steps = sorted([(end, -1) for _, end in spans] + [(start, 1) for start, _ in spans])
    living = most = 0
    for _, step in steps:
        living += step
        most = max(most, living)
    return most


@dataclass
class Caps:
    """The caps of a license: when each was asked for and answered."""

    changes: list[tuple[datetime, datetime, int]] = field(default_factory=list)

    def note(self, span: tuple[datetime, datetime], cap: int) -> None:
        self.changes.append((*span, cap))

    @property
    def slowest_s(self) -> float:
        return max((answered - asked).total_seconds() for asked, answered, _ in self.changes)

    def highest(self, since: datetime, until: datetime) -> int:
        """The highest that may have been in force in between: each, until the next was answered."""
        ends = [answered for _, answered, _ in self.changes[1:]] + [FOREVER]
        return max(
            cap
            for (asked, _, cap), end in zip(self.changes, ends, strict=True)
            if asked <= until and end >= since
        )

    def exceeded(self, lives: Iterable[Life]) -> list[tuple[int, int]]:
        """How many lived, and how many might have, where somebody came in one too many."""
        valid = [life for life in lives if life.arrived < life.until]
        begins = sorted(life.arrived for life in valid)
        ends = sorted(life.until for life in valid)
        found = []
        for life in valid:
            living = bisect_right(begins, life.arrived) - bisect_right(ends, life.arrived)
            if living > (allowed := self.highest(life.sent, life.arrived)):
                found.append((living, allowed))
        return found


@dataclass
class Told:
    """What the clients of a race were told."""

    lives: list[Life] = field(default_factory=list)
    codes: Counter[str] = field(default_factory=Counter)
    servers: Counter[int] = field(default_factory=Counter)
    revived: list[str] = field(default_factory=list)

    def note(self, what: str, answer: Answer) -> Answer:
        self.codes[f"{what} {answer.code}"] += 1
        self.servers[answer.server] += answer.status == 201
        return answer

    def left(self) -> set[str]:
        """Those who have their seat still, as far as they know."""
        now = system_clock()
        return {life.id for life in self.lives if life.until > now}


def as_stored(lives: Iterable[Life], until: Mapping[str, datetime]) -> list[Life]:
    """The same lives with the end that the database knows."""
    return [replace(life, until=until[life.id]) for life in lives]


def counted(told: Iterable[Answer]) -> Counter[str]:
    return Counter(answer.code for answer in told)
