"""Locks on files. The operating system releases them however the process ends."""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":
    import msvcrt

    _LOCK_OFFSET = 1 << 16  # a locked range cannot be read by other processes

    def lock(handle: int) -> None:
        """Lock an open file.

        Raises:
            OSError: Another handle has locked it, or it cannot be locked.
        """
        os.lseek(handle, _LOCK_OFFSET, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)

else:
    import fcntl

    def lock(handle: int) -> None:
        """Lock an open file.

        Raises:
            OSError: Another handle has locked it, or it cannot be locked.
        """
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
