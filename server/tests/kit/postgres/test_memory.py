"""The embedded server's share of the memory."""

from pathlib import Path

import pytest

from licet_server.kit.postgres.settings import available_memory, sized

MB = 1024 * 1024


@pytest.mark.parametrize(
    ("memory_mb", "cache", "wal"),
    [
        (0, "128MB", "1024MB"),
        (512, "128MB", "1024MB"),
        (4096, "512MB", "1024MB"),
        (16_384, "2048MB", "2048MB"),
        (65_536, "4096MB", "4096MB"),
    ],
)
def test_an_eighth_within_bounds(memory_mb: int, cache: str, wal: str) -> None:
    assert sized(memory_mb * MB) == {"shared_buffers": cache, "max_wal_size": wal}


def test_a_container_has_less_than_its_machine(tmp_path: Path) -> None:
    limited, unlimited, missing = (tmp_path / name for name in ("memory.max", "v1", "missing"))
    limited.write_text(f"{64 * MB}\n")
    unlimited.write_text("max\n")
    assert available_memory([limited, unlimited, missing]) == 64 * MB
    assert available_memory([unlimited, missing]) == available_memory([]) > 64 * MB
