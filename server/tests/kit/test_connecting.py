"""Every form of a database's URL, databases that come later, and those that never do."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from e2e.process import free_port, run
from patience import eventually
from sqlalchemy import text

from licet_server.kit.connecting import DatabaseRefused, connector, wait_for_database
from licet_server.kit.database import open_database
from licet_server.kit.database_address import Address
from licet_server.kit.keyring import create_key_file


@pytest.fixture
def address(new_database: Callable[[], str]) -> Address:
    """A migrated database, which is reached by a socket."""
    return Address.of_url(new_database())


def forms(address: Address) -> dict[str, str]:
    """URLs of one database in the forms that libpq knows."""
    who = f"{quote(address.user)}:{quote(address.password, safe='')}"
    folder, name = quote(address.host, safe=""), address.database
    dead = quote("/nowhere", safe="")
    return {
        "a folder as host": f"postgresql://{who}@{folder}:{address.port}/{name}",
        "a folder as option": f"postgres:///{name}?host={folder}&port={address.port}"
        f"&user={address.user}&password={quote(address.password, safe='')}",
        "several hosts": f"postgresql://{who}@{dead}:{address.port},{folder}:{address.port}/{name}",
        "a writable server": f"postgresql://{who}@{dead},{folder}/{name}"
        f"?target_session_attrs=read-write&port={address.port}",
        "a standby if there is one": f"postgresql://{who}@{folder}:{address.port}/{name}"
        "?target_session_attrs=prefer-standby",
        "all options": f"postgresql://{who}@{folder}:{address.port}/{name}?sslmode=prefer"
        "&connect_timeout=3&application_name=mine&options=-c%20search_path%3Dpublic"
        "&keepalives_idle=10&channel_binding=prefer&gssencmode=disable",
    }


async def test_the_service_connects_by_every_form(address: Address) -> None:
    for name, url in forms(address).items():
        database = open_database(url, 2)
        async with database.reading() as db:
            assert (await db.execute(text("SELECT 1"))).scalar_one() == 1, name
        await database.close()


async def test_the_server_that_took_the_last_connection_is_tried_first(address: Address) -> None:
    asked = 0

    async def stand_still(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        asked += 1
        await reader.read()
        writer.close()

    who = f"{quote(address.user)}:{quote(address.password, safe='')}"
    async with await asyncio.start_server(stand_still, "127.0.0.1", 0) as frozen:
        hosts = f"127.0.0.1,{quote(address.host, safe='')}"
        ports = f"{frozen.sockets[0].getsockname()[1]},{address.port}"
        options = "target_session_attrs=read-write&connect_timeout=1&sslmode=disable"
        url = f"postgresql://{who}@/{address.database}?host={hosts}&port={ports}&{options}"
        for _ in range(3):  # a pool each
            await (await connector(url, {})()).close()
    assert asked == 1


async def test_options_reach_the_server(address: Address) -> None:
    database = open_database(forms(address)["all options"], 2)
    async with database.reading() as db:
        found = await db.execute(
            text("SELECT current_setting('application_name'), current_setting('search_path')")
        )
        assert tuple(found.one()) == ("mine", "public")
    await database.close()


def test_commands_take_every_form(address: Address, tmp_path: Path) -> None:
    create_key_file(tmp_path / "master.key")  # which seals the backup
    for name, url in forms(address).items():
        target = tmp_path / "backup"
        for arguments in (("migrate",), ("backup", target)):
            ended = run(*arguments, "--data-dir", tmp_path, DATABASE_URL=url)
            assert ended.returncode == 0, f"{name}: {ended.stderr}"
        assert target.stat().st_size > 0
        target.unlink()


@pytest.mark.parametrize(
    ("rest", "sentence"),
    [
        ("127.0.0.1:{port}/none", "was not there within 0 s"),
        ("127.0.0.1:{port},localhost:{port}/none?target_session_attrs=primary", "was not there"),
        ("h/d?sslmode=require&sslrootcert=/no/such/file", "names the sslrootcert /no/such/file"),
        ("h/d?sslmode=sometimes", "refuses the connection.*sslmode"),
        ("h/d?target_session_attrs=often", "refuses the connection.*target_session_attrs"),
        ("h:port/d", "has the port 'port', which is not a number"),
        ("h1,h2/d?port=1,2,3", "has 2 hosts but 3 ports"),
        ("h/d?colour=red", "has the option 'colour'"),
        ("[::1/d", "closing bracket"),
    ],
)
@pytest.mark.parametrize("command", ["migrate", "backup"])
def test_what_cannot_be_connected_to_is_a_sentence(
    rest: str, sentence: str, command: str, tmp_path: Path
) -> None:
    url = "postgresql://ann:s3cret@" + rest.format(port=free_port())
    arguments = (command, tmp_path / "backup") if command == "backup" else (command,)
    ended = run(*arguments, "--data-dir", tmp_path, DATABASE_URL=url, LICET_DATABASE_WAIT="0")
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    assert "s3cret" not in ended.stderr
    assert re.search(sentence, " ".join(ended.stderr.split())), ended.stderr


async def test_a_wrong_password_is_not_waited_for(address: Address) -> None:
    url = Address(address.host, address.user, "wrong", address.database, address.port).url
    with pytest.raises(DatabaseRefused, match="password authentication failed"):
        await wait_for_database(url, 60, print)


async def test_a_database_that_comes_later_is_waited_for(address: Address, tmp_path: Path) -> None:
    later = tmp_path / "sockets"
    url = Address(str(later), address.user, address.password, address.database, address.port).url
    said: list[str] = []
    waiting = asyncio.create_task(wait_for_database(url, 60, said.append))
    async with asyncio.timeout(60):
        await asyncio.to_thread(eventually, lambda: said, "a line")
    assert not waiting.done()
    later.symlink_to(address.host)
    await waiting
    assert said[0].startswith(f"Waiting for the database at {later}:{address.port}: ")
