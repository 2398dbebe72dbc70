"""Institutions: visible to their members only."""

from testkit import Owner


async def test_an_owner_creates_renames_and_deletes_an_institution(owner: Owner) -> None:
    made = await owner.ok("POST", "/api/institutions", {"name": "Second"})
    assert made["plan"] == "Unlimited"
    path = f"/api/institutions/{made['id']}"
    assert (await owner.ok("PUT", path, {"name": "Renamed"}))["name"] == "Renamed"
    assert (await owner.ok("GET", path))["name"] == "Renamed"
    listing = await owner.ok("GET", "/api/institutions?sort=name")
    assert listing["totalCount"] == 2
    assert (await owner.send("DELETE", path)).status_code == 204
    assert (await owner.send("GET", path)).status_code == 404


async def test_an_api_key_finds_the_one_institution_that_it_works_in(owner: Owner) -> None:
    await owner.ok("POST", "/api/institutions", {"name": "Second"})
    for scope, status in (("Products.Read", 200), ("Products.Write", 200), ("Webhooks.Read", 403)):
        key = await owner.ok("POST", "/api/api-keys", {"name": "CI", "scopes": [scope]})
        headers = {"x-api-key": key["secret"]}
        answer = await owner.client.get("/api/institutions", headers=headers)
        assert answer.status_code == status, scope
        if answer.is_success:
            assert [item["id"] for item in answer.json()["items"]] == [str(owner.institution_id)]


async def test_bad_names_are_refused(owner: Owner) -> None:
    for name in ("", "   ", "x" * 201, 5, None, ["a"], "a\x00b"):
        answer = await owner.send("POST", "/api/institutions", {"name": name})
        assert answer.status_code == 400, name
        assert [error["field"] for error in answer.json()["errors"]] == ["name"]
