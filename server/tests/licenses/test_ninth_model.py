"""A new license model is one more row of the table, and nothing else."""

import json
import os
import sys
from pathlib import Path

import anyio
import pytest
from licenses import ninth_model
from licenses.factories import make_product, product_key
from testkit import Owner

from licet_server.app import Application
from licet_server.kit.platform import Platform


@pytest.fixture
def application(fresh_application: Application) -> Application:
    """On a database of its own, since no other test knows the model."""
    return fresh_application


async def test_a_ninth_model_is_one_row(owner: Owner, platform: Platform) -> None:
    product = await make_product(owner)
    given = {
        "url": platform.settings.database_url,
        "folder": str(platform.settings.data_dir),
        "owner": {
            "token": owner.token,
            "institution_id": owner.institution_id,
            "user_id": owner.user_id,
            "email": owner.email,
        },
        "product": product,
        "key": {"X-API-KEY": await product_key(owner, product)},
    }
    tests = Path(__file__).parents[1]
    done = await anyio.run_process(
        [sys.executable, ninth_model.__file__],
        input=json.dumps(given).encode(),
        env={**os.environ, "PYTHONPATH": str(tests)},
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
