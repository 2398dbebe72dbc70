"""Rate limits, counted in the database so that all processes of the instance share them."""

from licet_server.kit.limits.allowances import Allowance, noting, tightest, untold
from licet_server.kit.limits.storage import (
    RateLimits,
    api_key_limit,
    fetch_rate_limits,
    runtime_limit,
    save_rate_limits,
)
from licet_server.kit.limits.taking import (
    HOUR,
    MINUTE,
    KeyLimits,
    forget_old_counters,
    give_back,
    take,
)

__all__ = [
    "HOUR",
    "MINUTE",
    "Allowance",
    "KeyLimits",
    "RateLimits",
    "api_key_limit",
    "fetch_rate_limits",
    "forget_old_counters",
    "give_back",
    "noting",
    "runtime_limit",
    "save_rate_limits",
    "take",
    "tightest",
    "untold",
]
