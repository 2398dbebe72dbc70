"""Python's garbage collector, kept away from what lives as long as the process.

Reference counts free nearly everything that a request leaves. The collector looks for cycles only,
and to find a few it would walk the whole application again and again, which stops all requests for
a tenth of a second.
"""

import gc

_THRESHOLDS = (20_000, 50, 100)
"""New objects before the youngest are looked through, and how often before the older ones are."""


def exempt_heap() -> None:
    """Exempt everything that exists from collection, and look through what follows less often.

    Call it when the application has started, and before processes are forked.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
