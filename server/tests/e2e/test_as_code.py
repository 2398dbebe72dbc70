"""`plan`, `apply` and `export` against a running service, by an API key of least scopes."""

import json
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from as_code.declarations import FILE
from e2e.process import Service, run

ALL = ("Products.Write", "Webhooks.Write")
NOTHING = "products: []\nmailTemplates: []\nwebhooks: []\n"
OTHER = FILE.replace("Aurora", "Borealis").replace("hooks.example.com", "other.example.com")


@pytest.fixture(autouse=True)
def _empty(owner: httpx.Client) -> Iterator[None]:
    """Leaves the service without products, webhooks and mail templates."""
    yield
    for path in ("/api/products", "/api/webhooks"):
        for item in items(owner, path):
            owner.delete(f"{path}/{item['id']}").raise_for_status()
    for kind in ("issued", "renewed", "expiring", "revoked"):
        owner.delete(f"{of_institution(owner)}/mail-templates/{kind}").raise_for_status()


class Command:
    """Runs the commands with one API key."""

    def __init__(self, service: Service, owner: httpx.Client, folder: Path, *scopes: str) -> None:
        body = {"name": "As code", "scopes": scopes}
        self.key = owner.post("/api/api-keys", json=body).raise_for_status().json()["secret"]
        self.service = service
        self.file = folder / "licet.yaml"

    def run(self, name: str, *options: object) -> subprocess.CompletedProcess[str]:
        variables = {"LICET_SERVER": self.service.address, "LICET_API_KEY": self.key}
        return run(name, *options, **variables, NO_PROXY="127.0.0.1")

    def apply(self, text: str, *options: object) -> subprocess.CompletedProcess[str]:
        self.file.write_text(text)
        return self.run("apply", self.file, *options)

    def plan(self, text: str, *options: object) -> subprocess.CompletedProcess[str]:
        self.file.write_text(text)
        return self.run("plan", self.file, *options)

    def export(self) -> str:
        ended = self.run("export")
        assert ended.returncode == 0, ended.stderr
        return ended.stdout


@pytest.fixture
def command(service: Service, owner: httpx.Client, tmp_path: Path) -> Command:
    return Command(service, owner, tmp_path, *ALL)


def items(owner: httpx.Client, path: str) -> list[Any]:
    return list(owner.get(path).raise_for_status().json()["items"])


def of_institution(owner: httpx.Client) -> str:
    [institution] = items(owner, "/api/institutions")
    return f"/api/institutions/{institution['id']}"


def test_a_file_is_planned_applied_and_exported(command: Command, owner: httpx.Client) -> None:
    planned = command.plan(FILE)
    assert planned.returncode == 2, planned.stderr
    assert '+ policy "Team, yearly" of "Aurora"\n    type: Concurrent' in planned.stdout.replace(
        '"Concurrent"', "Concurrent"
    )
    assert planned.stdout.splitlines()[-1] == "9 to create"
    assert not items(owner, "/api/products")  # planning changes nothing

    applied = command.apply(FILE)
    assert applied.returncode == 0, applied.stderr
    [product] = items(owner, "/api/products")
    assert product["settings"]["heartbeatIntervalSeconds"] == 20
    [policy] = items(owner, "/api/policies")
    [entitled] = items(owner, f"/api/products/{product['id']}/entitlement-sets")
    assert policy["entitlementSetId"] == entitled["id"]
    assert entitled["entries"] == [
        {"featureName": "export"},
        {"featureName": "max-projects", "value": 25},
        {"featureName": "tier", "value": "gold"},
    ]
    [release] = items(owner, f"/api/products/{product['id']}/releases")
    assert release["version"] == "2.1.0"

    assert command.plan(FILE).returncode == 0
    again = command.apply(FILE, "--prune")
    assert (again.returncode, again.stdout) == (0, "No difference\n")
    exported = command.export()
    compared = command.plan(exported, "--prune")
    assert (compared.returncode, compared.stdout) == (0, "No difference\n")
    assert command.export() == exported


def test_an_export_restores_a_service_that_lost_everything(command: Command) -> None:
    command.apply(FILE)
    command.apply(OTHER)
    exported = command.export()
    assert command.apply(NOTHING, "--prune", "--yes").returncode == 0
    assert command.export() == NOTHING
    assert command.apply(exported).returncode == 0
    assert command.export() == exported


def test_a_drift_is_shown_and_undone(command: Command, owner: httpx.Client) -> None:
    command.apply(FILE)
    exported = command.export()
    [policy] = items(owner, "/api/policies")
    change = {"durationDays": 30, "activationMode": "Offline", "metadata": {"plan": "solo"}}
    owner.put(f"/api/policies/{policy['id']}", json=change).raise_for_status()
    drifted = command.plan(exported)
    assert drifted.returncode == 2
    assert drifted.stdout.splitlines() == [
        '~ policy "Team, yearly" of "Aurora"',
        "    durationDays: 30 -> 365",
        '    activationMode: "Offline" -> null',
        '    metadata.plan: "solo" -> "team"',
        "1 to change",
    ]
    assert command.apply(exported).returncode == 0
    assert command.plan(exported).returncode == 0


def test_what_the_file_does_not_name_stays_without_prune(
    command: Command, owner: httpx.Client
) -> None:
    command.apply(FILE)
    found = command.apply(OTHER)
    assert found.returncode == 0, found.stderr
    assert "Not in the file, and left as it is" in found.stdout
    assert len(items(owner, "/api/products")) == 2
    asked = command.apply(OTHER, "--prune")
    assert asked.returncode == 1
    assert '- product "Aurora"' in asked.stdout
    assert "Add --yes" in asked.stderr
    assert len(items(owner, "/api/products")) == 2
    assert command.apply(OTHER, "--prune", "--yes").returncode == 0
    assert [item["name"] for item in items(owner, "/api/products")] == ["Borealis"]


def test_a_product_with_licenses_is_not_pruned(command: Command, owner: httpx.Client) -> None:
    command.apply(FILE)
    [product] = items(owner, "/api/products")
    keys = {"keySize": 2048}
    owner.post(f"/api/products/{product['id']}/keys/generate", json=keys).raise_for_status()
    body = {"productId": product["id"], "type": "Perpetual", "licenseName": "One"}
    license_ = owner.post("/api/licenses", json=body).raise_for_status().json()
    refused = command.apply("products: []\nwebhooks: []\n", "--prune", "--yes")
    assert refused.returncode == 1
    assert "it has 1 license." in refused.stderr
    assert len(items(owner, "/api/webhooks")) == 1  # nothing was deleted
    owner.delete(f"/api/licenses/{license_['id']}").raise_for_status()


def test_the_secret_of_a_webhook_goes_to_a_private_file(command: Command, tmp_path: Path) -> None:
    secrets = tmp_path / "secrets.jsonl"
    applied = command.apply(FILE, "--secrets", secrets)
    assert applied.returncode == 0, applied.stderr
    [line] = [json.loads(line) for line in secrets.read_text().splitlines()]
    assert line["url"] == "https://hooks.example.com/T0/secret"
    assert line["secret"].startswith("whsec_")
    assert stat.S_IMODE(secrets.stat().st_mode) == 0o600
    printed = applied.stdout + applied.stderr
    assert "whsec_" not in printed
    assert "T0/secret" not in printed  # the path of the URL is one, too
    refused = command.apply(OTHER, "--secrets", secrets)
    assert (refused.returncode, command.plan(OTHER).returncode) == (1, 2)


def test_a_refusal_in_the_middle_names_the_line_and_the_rest_follows(command: Command) -> None:
    wrong = FILE.replace("https://hooks", "http://hooks")
    refused = command.apply(wrong)
    assert refused.returncode == 1
    line = wrong.splitlines().index("  - url: http://hooks.example.com/T0/secret") + 1
    assert f"licet.yaml:{line}: webhooks[0]: webhook" in refused.stderr
    assert "must begin with https://" in refused.stderr
    assert "Made 8 of 9 changes" in refused.stderr
    rest = command.apply(FILE)
    assert rest.returncode == 0, rest.stderr
    assert rest.stdout.splitlines()[-1] == "1 to create"


def test_mail_templates_are_applied_and_pruned(command: Command, owner: httpx.Client) -> None:
    applied = command.apply(FILE)
    assert applied.returncode == 0, applied.stderr
    [product] = items(owner, "/api/products")
    of_product = f"/api/products/{product['id']}/mail-templates"

    def effective(path: str) -> Any:
        return owner.get(path).raise_for_status().json()["effective"]

    issued = effective(f"{of_product}/issued")
    assert (issued["automatic"], issued["defaultLocale"]) == (True, "de")
    assert issued["translations"]["de"] == {
        "subject": "Ihre Lizenz für {product}",
        "body": "Guten Tag {customer},\n\nIhr Schlüssel ist `{licenseKey}`.",
    }
    assert effective(f"{of_product}/expiring")["senderName"] == "Northwind"

    words = {"subject": "Vôtre licence", "body": "Deux  \nlignes\n\n\n"}
    change = {"translations": {"fr": words, "en": None}}
    owner.put(f"{of_product}/issued", json=change).raise_for_status()
    exported = command.export()
    assert "body: |\n              Deux  \n              lignes\n" in exported
    compared = command.plan(exported, "--prune")
    assert (compared.returncode, compared.stdout) == (0, "No difference\n")
    assert command.apply(FILE).returncode == 0
    assert sorted(effective(f"{of_product}/issued")["translations"]) == ["de", "en"]

    start, end = FILE.index("    mailTemplates:"), FILE.index("webhooks:")
    text = f"{FILE[:start]}    mailTemplates: []\nmailTemplates: []\n{FILE[end:]}"
    kept = command.apply(text)
    assert kept.returncode == 0
    assert '    mail template "Issued" of "Aurora"' in kept.stdout
    assert command.apply(text, "--prune", "--yes").stdout.splitlines() == [
        '- mail template "Issued" of "Aurora"',
        '- mail template "Expiring"',
        "2 to delete",
    ]
    found = [effective(f"{of_product}/{kind}") for kind in ("issued", "expiring")]
    assert [(item["source"], item["senderName"]) for item in found] == [("BuiltIn", None)] * 2


def test_an_unknown_placeholder_is_found_before_anything_changes(
    command: Command, owner: httpx.Client
) -> None:
    wrong = FILE.replace("key is `{licenseKey}`", "key is `{licenceKey}`")
    refused = command.apply(wrong)
    assert refused.returncode == 1
    line = wrong.splitlines().index("              Your key is `{licenceKey}`.")
    assert f"licet.yaml:{line}: products[0].mailTemplates[0].translations.en.body: " in (
        refused.stderr
    )
    assert 'Did you mean "licenseKey"?' in refused.stderr
    assert not items(owner, "/api/products")


def test_what_only_the_service_knows_of_a_template_is_told_with_its_line(
    command: Command,
) -> None:
    wrong = FILE.replace("Guten Tag {customer},", "![Bild](https://example.com/x.png)")
    refused = command.apply(wrong)
    assert refused.returncode == 1
    line = wrong.splitlines().index("      - kind: Issued") + 1
    assert f"licet.yaml:{line}: products[0].mailTemplates[0]: mail template" in refused.stderr
    assert "translations.de.body: must have no images" in refused.stderr
    assert command.apply(FILE).returncode == 0


def test_the_least_scopes(service: Service, owner: httpx.Client, tmp_path: Path) -> None:
    products = Command(service, owner, tmp_path, "Products.Write")
    text = FILE.partition("webhooks:")[0]
    assert products.apply(text).returncode == 0  # without webhooks in the file
    reader = Command(service, owner, tmp_path, "Products.Read")
    assert reader.plan(text).returncode == 0
    exported = reader.run("export")
    assert exported.returncode == 0
    assert "webhooks" not in exported.stdout
    assert "Left out the webhooks" in exported.stderr
    refused = reader.apply(text.replace("sky", "night sky"))
    assert refused.returncode == 1
    assert "Products.Write" in refused.stderr
    assert products.plan(FILE).returncode == 1  # it may not see webhooks


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("products: [{nme: a}]", (), "licet.yaml:1: products[0].nme: is not a field here."),
        ("products: []", ("--api-key", "licet_ak_wrong"), "API key"),
        ("products: []", ("--server", "http://licet.test"), "must begin with https://"),
        ("products: []", ("--server", "http://127.0.0.1:1"), "does not respond"),
    ],
)
def test_errors_are_sentences_and_exit_with_1(
    command: Command, text: str, options: tuple[str, ...], message: str
) -> None:
    ended = command.plan(text, *options)
    assert ended.returncode == 1
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr


def test_the_schema_needs_no_service() -> None:
    ended = run("schema")
    assert json.loads(ended.stdout)["$defs"]["Policy"]
