"""A fake license server for tests, with the behavior of the real one and without a network.

>>> from licet.testing import FakeServer
>>> server = FakeServer()
>>> license_ = server.issue("Floating", seats=2)
>>> with server.client(license_, folder=tmp_path) as client, client.open() as opened:
...     opened.seat.held, len(license_.sessions)
(True, 1)

Do not ship it: a FakeServer contains the private key of its product.
"""

from licet._license_models import Model
from licet.testing._issue import Terms
from licet.testing._network import Fault, NetworkFault, RecordedRequest, ResponseFault
from licet.testing._operator import FakeDevice, FakeLicense, FakeOfflineAnswer
from licet.testing._rows import FakeAccessAttempt, FakeLease, FakeSession
from licet.testing._server import FakeServer
from licet.testing._state import LedgerEntry, TrackedEvent

__all__ = [
    "FakeAccessAttempt",
    "FakeDevice",
    "FakeLease",
    "FakeLicense",
    "FakeOfflineAnswer",
    "FakeServer",
    "FakeSession",
    "Fault",
    "LedgerEntry",
    "Model",
    "NetworkFault",
    "RecordedRequest",
    "ResponseFault",
    "Terms",
    "TrackedEvent",
]
