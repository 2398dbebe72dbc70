"""Files, and services that are as a file says."""

from pathlib import Path
from typing import Any

from licet_server.as_code.reading import SourceFile, read_file
from licet_server.as_code.rules.comparing import compare
from licet_server.as_code.rules.model import INSTITUTION, Declaration, Plan, Present

FILE = """
products:
  - name: Aurora
    initialVersion: "2.1.0"
    description: Draws the sky
    settings:
      heartbeatIntervalSeconds: 20
      offlineFileLifetimeDays: 14
    features:
      - name: export
      - name: max-projects
        kind: Number
        displayName: Projects
      - name: tier
        kind: Text
    entitlementSets:
      - name: Pro
        entries:
          export: true
          max-projects: 25
          tier: gold
    policies:
      - name: Team, yearly
        type: Concurrent
        durationDays: 365
        termStarts: FirstUse
        graceDays: 7
        maxActiveUsersCount: 5
        entitlementSet: Pro
        licenseNamePattern: "{product} for {customer}"
        metadata:
          plan: team
    mailTemplates:
      - kind: Issued
        automatic: true
        defaultLocale: de
        translations:
          de:
            subject: Ihre Lizenz für {product}
            body: |
              Guten Tag {customer},

              Ihr Schlüssel ist `{licenseKey}`.
          en:
            subject: Your license for {product}
            body: |
              Your key is `{licenseKey}`.
mailTemplates:
  - kind: Expiring
    senderName: Northwind
webhooks:
  - url: https://hooks.example.com/T0/secret
    eventTypes: [license.*, activation.created]
    enabled: false
"""


def source(folder: Path, text: str = FILE) -> SourceFile:
    file = folder / "licet.yaml"
    file.write_text(text)
    return read_file(file)


def declaration(folder: Path, text: str = FILE) -> Declaration:
    return source(folder, text).declaration


def service_as(declared: Declaration, **license_counts: int) -> list[Present]:
    """What a service has after a declaration was applied to it."""
    placeholders = ["customer", "licenseKey", "product"]
    institution = Present(key=INSTITUTION, fields={"placeholders": placeholders}, id="institution")
    return [institution] + [
        Present(
            key=item.key,
            fields={name: value for name, value in item.fields.items() if name != "initialVersion"},
            id=f"id of {item.key.kind} {item.key.name}",
            license_count=license_counts.get(item.key.name, 0),
        )
        for item in declared.objects
    ]


def plan(folder: Path, text: str, before: str = FILE, **options: Any) -> Plan:
    """The plan that turns a service as in one file into that of another."""
    counts = options.pop("licenses", {})
    present = service_as(declaration(folder, before), **counts)
    return compare(declaration(folder, text), present, prune=options.pop("prune", False))


def told(found: Plan) -> list[str]:
    return [f"{step.action} {step.label}" for step in found.steps]


def without(text: str, *lines: str) -> str:
    """The text without the lines that begin so."""
    kept = [line for line in text.splitlines() if not line.strip().startswith(lines)]
    assert len(kept) < len(text.splitlines())
    return "\n".join(kept) + "\n"
