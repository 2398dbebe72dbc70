"""The drill of `make drill-sockets`, in small; in full in the run of all tests."""

from e2e.process import ADMIN, NewService
from e2e.socket_drill import MEMORY_MB, Size, drill
from volumes import is_long

SIZE = Size() if is_long() else Size(head_mb=20, half_sent=100, dripping=10)
"""The heads are more than the memory that the service may take for all of it."""


def test_huge_heads_half_sent_requests_and_dripping_bodies_are_closed_in_bounded_memory(
    new_installation: NewService,
) -> None:
    service = new_installation(**ADMIN)
    service.start("--workers", 1)
    report = drill(service, SIZE)
    print(report)
    assert report.open_after == 0, report
    assert report.memory_mb < MEMORY_MB, report
    assert report.failed == 0, report
