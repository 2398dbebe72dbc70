"""The embedded server's share of the memory."""

from pathlib import Path

import pytest

from licet_server.kit.postgres.settings import available_memory, shared_buffers

MB = 1024 * 1024


@pytest.mark.parametrize(
    ("memory_mb", "share"),
    [(0, "128MB"), (512, "128MB"), (1024, "128MB"), (4096, "512MB"), (65_536, "1024MB")],
)
def test_an_eighth_within_bounds(memory_mb: int, share: str) -> None:
    assert shared_buffers(memory_mb * MB) == share


def test_a_container_has_less_than_its_machine(tmp_path: Path) -> None:
    limited, unlimited, missing = (tmp_path / name for name in ("memory.max", "v1", "missing"))
    limited.write_text(f"{64 * MB}\n")
    unlimited.write_text("max\n")
    assert available_memory([limited, unlimited, missing]) == 64 * MB
    assert available_memory([unlimited, missing]) == available_memory([]) > 64 * MB
