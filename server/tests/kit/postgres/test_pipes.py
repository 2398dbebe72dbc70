"""A pipe between real programs ends when either of them does, and says which one failed."""

import subprocess
import sys
from pathlib import Path

import pytest

from licet_server.kit.postgres.errors import Stalled, ToolFailed
from licet_server.kit.postgres.programs import Program, pipe

FOREVER = "while True: sys.stdout.buffer.write(bytes(65536))"
"""More than any buffer between two programs holds."""
ALL = "sys.stdin.buffer.read()"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def program(folder: Path, name: str, code: str) -> Program:
    file = folder / name
    file.write_text(f"#!{sys.executable} -IS\nimport os, signal, sys, time\n{code}\n")
    file.chmod(0o700)
    return Program([file], {"PATH": "/usr/bin:/bin"})


def test_everything_that_is_written_is_read(folder: Path) -> None:
    writer = program(folder, "writer", "for n in range(300_000): print(n)")
    reader = program(folder, "reader", f"open({str(folder / 'got')!r}, 'wb').write({ALL})")
    pipe(writer, reader)
    assert (folder / "got").read_text().split() == [str(n) for n in range(300_000)]


def test_a_reader_that_fails_ends_the_pipe_and_is_named(folder: Path) -> None:
    writer = program(folder, "writer", FOREVER)
    reader = program(folder, "reader", "sys.stdin.read(10); sys.exit('refused')")
    with pytest.raises(ToolFailed, match=r"^reader failed: refused$"):
        pipe(writer, reader)


def test_a_reader_that_fails_ends_a_writer_that_is_silent(folder: Path) -> None:
    writer = program(folder, "writer", "time.sleep(600)")
    reader = program(folder, "reader", "sys.exit('refused')")
    with pytest.raises(ToolFailed, match=r"^reader failed: refused$"):
        pipe(writer, reader)


def test_a_reader_that_ends_early_has_failed_even_if_it_says_otherwise(folder: Path) -> None:
    writer = program(folder, "writer", FOREVER)
    reader = program(folder, "reader", "sys.stdin.read(10)")
    with pytest.raises(ToolFailed, match="reader failed: it ended before it had read everything"):
        pipe(writer, reader)


def test_a_writer_that_fails_is_named_and_the_reader_never_sees_an_end(folder: Path) -> None:
    took_half = folder / "took_half"
    writer = program(folder, "writer", "print('half', flush=True); sys.exit('no more')")
    reader = program(folder, "reader", f"{ALL}; open({str(took_half)!r}, 'w')")
    with pytest.raises(ToolFailed, match=r"^writer failed: no more$"):
        pipe(writer, reader)
    assert not took_half.exists()


def test_both_are_named_if_both_fail(folder: Path) -> None:
    writer = program(folder, "writer", "sys.exit('torn')")
    reader = program(folder, "reader", "sys.exit('refused')")
    with pytest.raises(
        ToolFailed, match=r"^writer and reader failed: writer: torn\nreader: refused$"
    ):
        pipe(writer, reader)


@pytest.mark.parametrize(
    ("writes", "reads", "named"),
    [
        (FOREVER, "time.sleep(600)", "reader"),
        ("time.sleep(600)", ALL, "writer"),
        ("print('all')", f"{ALL}; time.sleep(600)", "reader"),
        ("os.close(1); time.sleep(600)", ALL, "writer"),
    ],
)
def test_without_progress_the_pipe_ends_and_names_the_program_that_was_awaited(
    folder: Path, writes: str, reads: str, named: str
) -> None:
    with pytest.raises(Stalled, match=f"^{named} failed: it moved no data for 0.5 seconds"):
        pipe(program(folder, "writer", writes), program(folder, "reader", reads), patience=0.5)


def test_progress_extends_the_deadline(folder: Path) -> None:
    """The whole takes longer than a pipe may go without a byte."""
    code = "for _ in range(15): time.sleep(0.2); sys.stdout.buffer.write(bytes(99_999))"
    reads = f"sys.exit(len({ALL}) - 15 * 99_999)"
    pipe(program(folder, "writer", code), program(folder, "reader", reads), patience=2)


def test_programs_that_ignore_a_request_to_end_are_killed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("licet_server.kit.postgres.programs._GRACE_S", 0.1)
    stubborn = "signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); "
    writer = program(folder, "writer", stubborn + "time.sleep(600)")
    reader = program(folder, "reader", "sys.stdin.read(1); sys.exit('refused')")
    with pytest.raises(ToolFailed, match=r"^reader failed: refused$"):
        pipe(writer, reader)


def test_a_program_that_is_missing_ends_the_other(folder: Path) -> None:
    pid = folder / "pid"
    writer = program(folder, "writer", f"open({str(pid)!r}, 'w').write('1'); time.sleep(600)")
    with pytest.raises(FileNotFoundError):
        pipe(writer, Program([folder / "nowhere"], {}))


def test_a_program_may_write_any_amount_of_errors(folder: Path) -> None:
    chatty = program(folder, "chatty", "sys.stderr.write('no ' * 100_000 + 'more'); sys.exit(3)")
    with chatty.running(stdout=subprocess.DEVNULL) as running:
        assert running.ends_within(60)
        assert running.has_failed
        assert running.reason().endswith("no more")
        assert len(running.reason()) <= 2000
    silent = program(folder, "silent", "sys.exit(3)")
    with silent.running() as running:
        assert running.ends_within(60)
        assert running.reason() == "exit code 3."
