"""Rate limits, and places for what takes long; all processes of the instance share them."""

from licet_server.kit.limits.allowances import (
    Allowance,
    record_allowances_in,
    tightest,
    without_recording,
)
from licet_server.kit.limits.buckets import (
    HOUR,
    MINUTE,
    KeyLimits,
    address_bucket,
    delete_old_counters,
    device_bucket,
    require_room,
    take,
    undo_take,
)
from licet_server.kit.limits.places import Kind, Place, Places
from licet_server.kit.limits.storage import (
    RateLimits,
    api_key_limit,
    fetch_rate_limits,
    runtime_limit,
    save_rate_limits,
)

__all__ = [
    "HOUR",
    "MINUTE",
    "Allowance",
    "KeyLimits",
    "Kind",
    "Place",
    "Places",
    "RateLimits",
    "address_bucket",
    "api_key_limit",
    "delete_old_counters",
    "device_bucket",
    "fetch_rate_limits",
    "record_allowances_in",
    "require_room",
    "runtime_limit",
    "save_rate_limits",
    "take",
    "tightest",
    "undo_take",
    "without_recording",
]
