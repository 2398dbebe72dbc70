"""A new license model is one more row of the table, and nothing else."""

import json
import os
import sys
from pathlib import Path

import anyio
import pytest
from licenses import ninth_model
from licenses.factories import product_key
from world import World

from licet_server.app import Application


@pytest.fixture
def application(fresh_application: Application) -> Application:
    """On a database of its own, since no other test knows the model."""
    return fresh_application


async def test_a_ninth_model_is_one_row(world: World) -> None:
    given = {
        "url": world.platform.settings.database_url,
        "folder": str(world.platform.settings.data_dir),
        "owner": {
            "token": world.owner.token,
            "institution_id": world.owner.institution_id,
            "user_id": world.owner.user_id,
            "email": world.owner.email,
        },
        "product": world.product,
        "key": {"X-API-KEY": await product_key(world.owner, world.product)},
    }
    tests = Path(__file__).parents[1]
    done = await anyio.run_process(
        [sys.executable, ninth_model.__file__],
        input=json.dumps(given).encode(),
        env={**os.environ, "PYTHONPATH": str(tests)},
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
