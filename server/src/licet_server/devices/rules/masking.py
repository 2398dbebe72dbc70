"""Masking of hardware IDs in messages, events and logs; devices can still be distinguished."""

_SHOWN = 4
_LONG_ENOUGH = 12


def masked(hardware_id: str) -> str:
    """Mask a hardware ID: `h1m-…9f3c`, or only the beginning of a short one."""
    if len(hardware_id) >= _LONG_ENOUGH:
        return f"{hardware_id[:_SHOWN]}…{hardware_id[-_SHOWN:]}"
    return f"{hardware_id[: len(hardware_id) // 3]}…"
