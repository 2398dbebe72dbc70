"""SIGTERM while a process starts."""

import subprocess
import sys

_LOST_IN_A_CALLBACK = """
import signal, weakref
from licet_server.kit.shutdown import exit_if_asked, exit_on_sigterm

class Thing: pass

exit_on_sigterm()
thing = Thing()
reference = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGTERM))
del thing
print("starting", flush=True)
exit_if_asked()
print("serving", flush=True)
"""


def test_a_sigterm_that_python_drops_ends_the_process_before_it_serves() -> None:
    process = subprocess.run(
        [sys.executable, "-c", _LOST_IN_A_CALLBACK], capture_output=True, text=True, check=False
    )
    assert (process.returncode, process.stdout) == (0, "starting\n")
    assert "Exception ignored" in process.stderr
