"""The real commands in processes of their own, which are stopped by their own number."""

import itertools
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import httpx
import psutil
from e2e.environment import environment
from e2e.forked import Forked, Started, command_line
from patience import PATIENCE_S, eventually
from shared_postgres import create_folder

EMAIL, PASSWORD = "admin@example.com", "a long enough password"
ADMIN = {"LICET_ADMIN_EMAIL": EMAIL, "LICET_ADMIN_PASSWORD": PASSWORD}
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients of plain HTTP: loading all certificates takes longer than a request."""

_numbers = itertools.count(1)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def command(*arguments: object) -> list[str]:
    """A command of the service in a fresh interpreter, as an operator starts it."""
    return [sys.executable, "-m", "licet_server", *map(str, arguments)]


def run(*arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the service to its end."""
    with tempfile.TemporaryDirectory(prefix="licet-run-") as folder:
        output, errors = Path(folder, "output"), Path(folder, "errors")
        process = Forked(
            command_line, *map(str, arguments), variables=variables, output=output, errors=errors
        )
        code = process.wait(PATIENCE_S)
        return subprocess.CompletedProcess(
            [*map(str, arguments)], code, output.read_text(), errors.read_text(errors="replace")
        )


def lives(pid: int) -> bool:
    """Whether a process runs; one that only waits to be collected does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:  # it was collected while its state was read
        return False
    except FileNotFoundError:
        return not stat.parent.parent.joinpath("self").exists()


def children_of(pid: int) -> list[int]:
    """The processes that a process has started and that run still."""
    return [child for child, parent, _ in _listed() if parent == pid]


def descendants_of(pid: int) -> list[int]:
    """The children of a process, those that they have started, and so on; parents come first."""
    return [child for child, _ in _descendants(pid)]


def workers_of(pid: int) -> list[int]:
    """The processes that serve: forked from a child, they have its command."""
    commands = dict(_descendants(pid))
    return sorted(
        worker
        for child in children_of(pid)
        for worker in children_of(child)
        if "python" in commands.get(child, "") and commands.get(worker) == commands[child]
    )


def _descendants(pid: int) -> list[tuple[int, str]]:
    listed, found = _listed(), [(pid, "")]
    for ancestor, _ in found:
        found += [(child, command) for child, parent, command in listed if parent == ancestor]
    return found[1:]


def _listed() -> list[tuple[int, int, str]]:
    """Number, parent and command of each process."""
    listed = (process.info for process in psutil.process_iter(["pid", "ppid", "cmdline"]))
    return [(one["pid"], one["ppid"], " ".join(one["cmdline"] or ())) for one in listed]


class Service:
    """A data folder, and the process that serves it."""

    def __init__(
        self,
        variables: Mapping[str, str],
        *,
        seed: Path | None = None,
        in_fresh_interpreter: bool = False,
        main: Callable[..., None] = command_line,
    ) -> None:
        """`seed` is a data folder to copy, instead of an empty one; `main` is what is forked."""
        self.root = create_folder("licet-e2e-")
        self.folder = self.root / "data"
        if seed is None:
            self.folder.mkdir()
            self.folder.chmod(self.root.stat().st_mode)
        else:
            subprocess.run(["cp", "-a", seed, self.folder], check=True)
        self.port = free_port()
        self.variables = dict(variables)
        self.process: Started | None = None
        self.said = self.root / "said-0.txt"
        self._in_fresh_interpreter = in_fresh_interpreter
        self._main = main

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def begin(self, *options: object, subcommand: str = "serve") -> None:
        """Start the process, without waiting for it."""
        self.said = self.root / f"said-{next(_numbers)}.txt"
        options = ("--port", self.port, "--data-dir", self.folder, *options)
        arguments = (subcommand, *map(str, options))
        if self._in_fresh_interpreter:
            self.process = self._interpret(*arguments)
        else:
            self.process = Forked(
                self._main,
                *arguments,
                variables=self.variables,
                folder=self.root,
                output=self.said,
            )

    def _interpret(self, *arguments: str) -> Started:
        with self.said.open("wb") as said:
            return subprocess.Popen(
                command(*arguments),
                env=environment(**self.variables),
                cwd=self.root,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
            )

    def run(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Run another command to its end, on the same data folder and database."""
        return run(*arguments, "--data-dir", self.folder, **self.variables)

    def start(self, *options: object, subcommand: str = "serve") -> None:
        """Start the process and wait until it answers."""
        self.begin(*options, subcommand=subcommand)
        eventually(self.is_ready, "the service is ready")

    def output(self) -> str:
        return self.said.read_text(errors="replace")

    def client(self, token: str | None = None) -> httpx.Client:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(
            base_url=self.address,
            headers=headers,
            timeout=PATIENCE_S,
            trust_env=False,
            verify=NO_TLS,
        )

    def sign_in(self, email: str = EMAIL, password: str = PASSWORD) -> httpx.Client:
        """A client that speaks for the operator."""
        with self.client() as client:
            body = {"email": email, "password": password}
            answer = client.post("/api/auth/login", json=body).raise_for_status()
        return self.client(answer.json()["accessToken"])

    def postmaster(self) -> int:
        """The number of the database's process, from the file in its cluster."""
        lines = (self._cluster() / "postmaster.pid").read_text().splitlines()
        return int(lines[0])

    def send(self, which: signal.Signals) -> int:
        """Send a signal to the service and wait for its end; answers the exit code.

        Killed, it leaves workers that hold the port until they notice; they are waited for, too.
        """
        assert self.process is not None
        children = descendants_of(self.process.pid)
        self.process.send_signal(which)
        code = self.process.wait(PATIENCE_S)
        eventually(lambda: not any(map(lives, children)), "its workers end", 30)
        self.process = None
        return code

    def stop(self) -> int:
        return self.send(signal.SIGTERM)

    def remove(self) -> None:
        """Stop what runs and leave nothing behind."""
        if self.process is not None:
            self.stop()
        self.eventually_without_database()
        cluster = self._cluster()
        if self.root not in cluster.parents:
            shutil.rmtree(cluster, ignore_errors=True)
        shutil.rmtree(self.root, ignore_errors=True)

    def eventually_without_database(self) -> None:
        try:
            pid = self.postmaster()
        except FileNotFoundError:
            return
        eventually(lambda: not lives(pid), "the database has ended")

    def _cluster(self) -> Path:
        elsewhere = self.folder / "postgres.location"
        if elsewhere.exists():
            return Path(elsewhere.read_text().partition("\n")[0])
        return self.folder / "postgres"

    def is_ready(self) -> bool:
        """Whether it answers, and its database takes changes."""
        assert self.process is not None
        assert self.process.poll() is None, f"the service ended:\n{self.output()}"
        try:
            with self.client() as visitor:
                return visitor.get("/health/ready").is_success
        except httpx.TransportError:
            return False


NewService = Callable[..., Service]
"""Creates a service with these variables in its environment; it is removed after the test."""
