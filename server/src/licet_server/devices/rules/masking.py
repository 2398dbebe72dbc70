"""Hardware ids in messages, events and logs: enough to tell two apart, too little to be one."""

_SHOWN = 4
_LONG_ENOUGH = 12


def masked(hardware_id: str) -> str:
    """`h1m-…9f3c`: both ends of a long id, the beginning of a short one."""
    if len(hardware_id) >= _LONG_ENOUGH:
        return f"{hardware_id[:_SHOWN]}…{hardware_id[-_SHOWN:]}"
    return f"{hardware_id[: len(hardware_id) // 3]}…"
