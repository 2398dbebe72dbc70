"""The drill of `make drill-sockets`, in small."""

from e2e.process import ADMIN, NewService
from e2e.socket_drill import MEMORY_MB, Size, drill


def test_huge_heads_half_sent_requests_and_dripping_bodies_are_closed_in_bounded_memory(
    new_installation: NewService,
) -> None:
    service = new_installation(**ADMIN)
    service.start("--workers", 1)
    report = drill(service, Size(head_mb=30, half_sent=200, dripping=20))
    print(report)
    assert report.open_after == 0, report
    assert report.memory_mb < MEMORY_MB, report
    assert report.failed == 0, report
