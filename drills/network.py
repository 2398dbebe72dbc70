"""Where the machines of a drill are: all on loopback, or each in a network namespace of its own."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

_INSIDE = "LICET_DRILL_INSIDE"
_HUB = "10.77.0.1"


@dataclass(frozen=True, slots=True)
class Machine:
    """The address of a machine, and how a command is run on it."""

    name: str
    host: str
    prefix: tuple[str, ...] = ()


class Network(Protocol):
    """Machines that reach each other and the hub, where everything else of a drill is."""

    @property
    def hub(self) -> str:
        """The address of the hub, as the machines see it."""

    def add(self, name: str) -> Machine:
        """Add a machine."""

    def close(self) -> None:
        """Remove the machines."""


class Loopback:
    """Machines that are none: every address is that of this one."""

    hub = "127.0.0.1"

    def add(self, name: str) -> Machine:
        return Machine(name, "127.0.0.1")

    def close(self) -> None:
        pass


class Namespaces:
    """A network namespace for each machine, and a bridge in the one of this process.

    They have no names, and go with the processes that hold them.
    """

    hub = _HUB

    def __init__(self) -> None:
        self._holders: dict[str, subprocess.Popen[bytes]] = {}
        _ip("link", "set", "lo", "up")
        _ip("link", "add", "hub", "type", "bridge")
        _ip("address", "add", f"{_HUB}/24", "dev", "hub")
        _ip("link", "set", "hub", "up")

    def add(self, name: str) -> Machine:
        holder = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "echo ready; exec sleep infinity"],
            stdout=subprocess.PIPE,
        )
        assert holder.stdout is not None
        holder.stdout.readline()
        self._holders[name] = holder
        number = len(self._holders)
        machine = Machine(
            name, f"10.77.0.{10 + number}", ("nsenter", f"--net=/proc/{holder.pid}/ns/net")
        )
        hardware = f"02:00:00:00:00:{number:02x}"
        peer = ("peer", "name", "eth0", "address", hardware, "netns", str(holder.pid))
        _ip("link", "add", name, "type", "veth", *peer)
        _ip("link", "set", name, "master", "hub", "up")
        _ip("link", "set", "lo", "up", on=machine)
        _ip("address", "add", f"{machine.host}/24", "dev", "eth0", on=machine)
        _ip("link", "set", "eth0", "up", on=machine)
        # Behind a router, nobody says that a machine is not there; what is sent to it is just lost.
        place = (machine.host, "lladdr", hardware, "dev", "hub")
        _ip("neighbor", "add", *place, "nud", "permanent")
        return machine

    def cut(self, machine: Machine) -> None:
        """Pull the machine's cable."""
        _ip("link", "set", machine.name, "down")

    def join(self, machine: Machine) -> None:
        """Put the cable back."""
        _ip("link", "set", machine.name, "up")

    def close(self) -> None:
        for holder in self._holders.values():
            holder.kill()
            holder.wait()


def _ip(*arguments: str, on: Machine | None = None) -> None:
    prefix: Sequence[str] = on.prefix if on else ()
    subprocess.run([*prefix, "ip", *arguments], check=True)


def enter_own_network() -> bool:
    """Start this program again in a network namespace of its own; False where that is not allowed.

    Nothing of a drill is then reachable from outside, and no address of the machine is used.
    """
    if os.environ.get(_INSIDE):
        return True
    allowed = subprocess.run(
        ["unshare", "--net", "ip", "link", "add", "hub", "type", "bridge"],
        capture_output=True,
        check=False,
    )
    if allowed.returncode:
        return False
    command = ["unshare", "--net", sys.executable, *sys.orig_argv[1:]]
    return os.execvpe("unshare", command, {**os.environ, _INSIDE: "1"})
