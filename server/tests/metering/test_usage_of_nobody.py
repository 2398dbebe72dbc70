"""Who sees nothing has no usage."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, cast
from uuid import UUID

import pytest

from licet_server.kit.visibility import Visibility
from licet_server.metering.rules.usage import Usage
from licet_server.metering.service.usage import sum_consumption, sum_usage

BEGIN, END = datetime(2030, 1, 1, tzinfo=UTC), datetime(2030, 2, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "nobody", [Visibility(), Visibility(narrowed=(UUID(int=1),))], ids=["stranger", "Member"]
)
async def test_nothing_is_asked_of_the_database(nobody: Visibility) -> None:
    """Citus would refuse statements that name no institution or no product."""
    no_database = cast("Any", None)
    usage = await sum_usage(no_database, nobody, since=BEGIN, until=END, limit=5)
    assert usage == Usage(balances={}, days=[], licenses=[], features=[])
    assert await sum_consumption(no_database, nobody, since=BEGIN, until=END) == Decimal(0)
