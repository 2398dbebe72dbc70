"""Removes secrets from the environment of the process."""

import ctypes
import os
import sys


def forget_variable(name: str) -> None:
    """Remove a variable, also from what the system shows of the process.

    The environment that a process was started with stays readable for its user, in
    `/proc/PID/environ` and for `ps`, whatever happens to the variable. The bytes of the value are
    therefore overwritten. Processes that are started later do not get the variable at all.
    """
    if name not in os.environ:
        return
    if sys.platform != "win32":
        _overwrite(name)
    del os.environ[name]


def _overwrite(name: str) -> None:
    library = ctypes.CDLL(None)
    library.getenv.argtypes = [ctypes.c_char_p]
    library.getenv.restype = ctypes.c_void_p
    place = library.getenv(os.fsencode(name))
    if place is not None:
        ctypes.memset(place, 0, len(ctypes.string_at(place)))
