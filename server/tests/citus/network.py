"""A server in a network of its own, whose cable can be cut: packets vanish, and nothing says so."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from citus.drilling import Server

_NAMESPACE, _BRIDGE, _PORT, _INSIDE = "licet-drill", "licet-br", "licet-port", "licet-in"
_HERE, _THERE = "10.213.77.1", "10.213.77.2"
_MACS = {_BRIDGE: "02:00:00:00:77:01", _INSIDE: "02:00:00:00:77:02"}
_WITHIN = ("ip", "netns", "exec", _NAMESPACE)
_CONNECT = (
    f"ip netns add {_NAMESPACE}",
    f"ip link add {_BRIDGE} address {_MACS[_BRIDGE]} type bridge",
    f"ip address add {_HERE}/30 dev {_BRIDGE}",
    f"ip link add {_PORT} type veth peer name {_INSIDE}",
    f"ip link set {_INSIDE} netns {_NAMESPACE} address {_MACS[_INSIDE]}",
    f"ip link set {_PORT} master {_BRIDGE}",
    f"ip link set {_PORT} up",
    f"ip link set {_BRIDGE} up",
    f"ip -n {_NAMESPACE} address add {_THERE}/30 dev {_INSIDE}",
    f"ip -n {_NAMESPACE} link set {_INSIDE} up",
    f"ip -n {_NAMESPACE} link set lo up",
    # Each side knows the other one for good, so that a cut is not noticed by who looks for it.
    f"ip neighbor add {_THERE} lladdr {_MACS[_INSIDE]} dev {_BRIDGE} nud permanent",
    f"ip -n {_NAMESPACE} neighbor add {_HERE} lladdr {_MACS[_BRIDGE]} dev {_INSIDE} nud permanent",
)
_REMOVE = (f"ip link delete {_BRIDGE}", f"ip link delete {_PORT}", f"ip netns delete {_NAMESPACE}")


@dataclass(frozen=True)
class Cable:
    """What a server in a network of its own is reached by, at this host."""

    host: str

    def cut(self) -> None:
        _ip(f"ip link set {_PORT} nomaster")

    def mend(self) -> None:
        _ip(f"ip link set {_PORT} master {_BRIDGE}")


@contextmanager
def moved_away(server: Server) -> Iterator[Cable]:
    """Restart a server of this machine in a network of its own, and back here in the end.

    It needs the rights of root, and Linux.
    """
    _remove()
    try:
        for command in _CONNECT:
            _ip(command)
    except (OSError, subprocess.CalledProcessError) as error:
        _remove()
        pytest.skip(f"no network namespaces: {error}")
    rules = server.folder / "drill_hba.conf"
    shutil.copy(server.folder / "pg_hba.conf", rules)
    with rules.open("a") as file:
        file.write(f"host all all {_HERE}/32 trust\n")
    shutil.chown(rules, server.owner)
    settings = (f"hba_file={rules}", "listen_addresses='*'")
    as_owner = ("setpriv", f"--reuid={server.owner}", f"--regid={server.owner}", "--clear-groups")
    server.stop()
    try:
        server.start(*settings, within=(*_WITHIN, *as_owner))
        yield Cable(_THERE)
        server.stop()
    finally:
        server.start()
        _remove()
        rules.unlink()


def _ip(command: str) -> None:
    subprocess.run(command.split(), check=True, capture_output=True)


def _remove() -> None:
    for command in _REMOVE:
        subprocess.run(command.split(), check=False, capture_output=True)
