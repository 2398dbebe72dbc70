"""Results and errors can be copied and sent to another process."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path

import pytest
from licet_testkit import FakeClock, LicenseServer, make_client, online

from licet import InsufficientBalanceError, LicenseResult, LicetError, errors
from licet import LicenseValidationStatus as Status

CLASSES = [kind for kind in vars(errors).values() if isinstance(kind, type)]
ERRORS = [kind for kind in CLASSES if issubclass(kind, LicetError)]


def an_error(kind: type[LicetError]) -> LicetError:
    if issubclass(kind, errors.ServerFaultError):
        return kind("Refused.", http_status=409, error_code="Conflict", request_id="r1")
    if issubclass(kind, errors.OnlineRequiredError):
        return kind("It failed.", result=LicenseResult(Status.OnlineRequired, "It failed."))
    return kind("It failed.", hint="Ask it again.")


@pytest.mark.parametrize("kind", ERRORS)
def test_errors_survive_pickling(kind: type[LicetError]) -> None:
    error = an_error(kind)
    error.idempotency_key = "k1"
    for twin in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error), copy.copy(error)):
        assert type(twin) is kind
        assert (twin.message, str(twin), vars(twin)) == (error.message, str(error), vars(error))


def test_what_an_error_knows_survives() -> None:
    error = InsufficientBalanceError("Too little.", http_status=402)
    error.cost, error.balance = Decimal("2.5"), Decimal(1)
    twin = pickle.loads(pickle.dumps(error))
    assert (twin.cost, twin.balance, twin.http_status) == (Decimal("2.5"), Decimal(1), 402)


def test_results_survive(tmp_path: Path, clock: FakeClock, server: LicenseServer) -> None:
    with make_client(tmp_path, clock, **online(server)) as client:
        results = [client.validate()]
        server.stop()
        results.append(client.validate())
    assert results[1].cause is not None
    for result in results:
        twin: LicenseResult = pickle.loads(pickle.dumps(result))
        assert (twin.status, twin.license) == (result.status, result.license)
        assert type(twin.cause) is type(result.cause)
        assert copy.deepcopy(result).license == result.license
        assert asdict(result)["license"]["features"] == ("export",)


def test_the_mappings_of_a_license_are_read_only(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    with make_client(tmp_path, clock, **online(server)) as client:
        terms = client.validate().license
    assert terms is not None
    for mapping in (terms.metadata, pickle.loads(pickle.dumps(terms)).metadata):
        with pytest.raises(TypeError):
            mapping["a"] = "b"  # type: ignore[index]
        with pytest.raises(TypeError):
            mapping.update(a="b")  # type: ignore[union-attr]
        assert json.dumps(mapping) == "{}"
