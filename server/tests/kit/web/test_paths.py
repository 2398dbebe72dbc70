"""Literal segments match in any case, parameters keep theirs."""

from hypothesis import given
from hypothesis import strategies as st

from licet_server.kit.web.paths import PathFolder

FOLDER = PathFolder(
    ["/api/licenses/validate", "/api/licenses/{license_id}", "/api/licenses/{license_id}/revoke"]
)


def test_literals_are_folded() -> None:
    assert FOLDER.fold("/API/Licenses/Validate") == "/api/licenses/validate"


def test_parameters_are_left() -> None:
    assert FOLDER.fold("/Api/Licenses/AbC/Revoke") == "/api/licenses/AbC/revoke"


def test_unknown_paths_stay() -> None:
    assert FOLDER.fold("/Nope/Nothing") == "/Nope/Nothing"


@given(st.text(max_size=60))
def test_any_path_folds_without_error_and_only_in_case(path: str) -> None:
    folded = FOLDER.fold("/" + path)
    assert folded.lower().strip("/") == ("/" + path).lower().strip("/")
