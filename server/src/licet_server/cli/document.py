"""`openapi`: prints the OpenAPI document; needs no database."""

import tempfile
from pathlib import Path

from licet_server.app import build_app, build_platform
from licet_server.cli.options import CheckedFile, WrittenFile, hand_out
from licet_server.kit.keyring import new_master_key
from licet_server.kit.settings import Settings
from licet_server.kit.web.openapi.document import openapi_document

_NOWHERE = "postgresql+asyncpg://nobody@127.0.0.1:1/none"


def openapi(*, check: CheckedFile = None, write: WrittenFile = None) -> None:
    """Print the OpenAPI document, write it to a file, or check that a file is up to date."""
    with tempfile.TemporaryDirectory() as folder:
        nothing = Settings(
            data_dir=Path(folder), database_url=_NOWHERE, master_keys=(new_master_key(),)
        )
        platform = build_platform(nothing)
        document = openapi_document(build_app(platform).litestar)
    hand_out(document, check, write)
