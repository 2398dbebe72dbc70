"""The table in which the firmware of a PC describes it (SMBIOS), as Windows keeps it."""

from __future__ import annotations

HEADER = 8
"""Bytes that Windows puts before the table."""
SYSTEM, UUID = 1, slice(8, 24)


def find_board(raw: str | None) -> str | None:
    """Find the UUID of the board, as hex digits; ``None`` if there is none.

    Args:
        raw: The registry value ``SMBiosData`` as hex digits.
    """
    try:
        table = bytes.fromhex(raw or "")[HEADER:]
    except ValueError:
        return None
    while len(table) >= 4:
        kind, length = table[0], table[1]
        if length < 4:
            return None
        if kind == SYSTEM and UUID.stop <= min(length, len(table)):
            return table[UUID].hex()
        _, end, table = table[length:].partition(b"\0\0")
        if not end:
            return None
    return None
