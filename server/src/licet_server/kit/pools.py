"""Pools of connections that know who waits for one."""

from dataclasses import dataclass

from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import AsyncAdaptedQueuePool, PoolProxiedConnection


@dataclass(frozen=True, slots=True)
class PoolFigures:
    """The state of a pool; `waiting` is for a free connection or a new one.

    `timeouts` counts, from the start on, the callers that waited in vain.
    """

    size: int
    in_use: int
    idle: int
    waiting: int
    timeouts: int


class CountingPool(AsyncAdaptedQueuePool):
    """The usual pool; it counts who waits."""

    waiting = 0
    timeouts = 0

    def connect(self) -> PoolProxiedConnection:
        self.waiting += 1
        try:
            return super().connect()
        except PoolTimeout:
            self.timeouts += 1
            raise
        finally:
            self.waiting -= 1


def figures_of(engine: AsyncEngine) -> PoolFigures:
    """Return the state of the pool of an engine."""
    pool = engine.pool
    if not isinstance(pool, CountingPool):
        raise TypeError("the engine has another pool")
    return PoolFigures(
        size=pool.size(),
        in_use=pool.checkedout(),
        idle=pool.checkedin(),
        waiting=pool.waiting,
        timeouts=pool.timeouts,
    )
