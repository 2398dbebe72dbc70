"""Settings files: which one is read, what it may look like, and the options that it sets."""

from __future__ import annotations

import json

from pieces import PRODUCT

LICET, APPSETTINGS = "licet.json", "appsettings.json"
ENDPOINT = "https://licenses.example.com/api"


def settings(name: str, files: dict[str, str], read: str | None, **options: object) -> dict:
    """``{folder}`` in an option stands for the folder of the files."""
    return {"name": name, "files": files, "expected": {"file": read, "options": options}}


def refused(name: str, text: str, file: str = LICET) -> dict:
    return {"name": name, "files": {file: text}, "expected": {"error": "Configuration"}}


def settings_cases() -> list[dict]:
    plain = json.dumps({"ProductId": PRODUCT})
    section = json.dumps({"Logging": {"Level": "Debug"}, "Licet": {"ProductId": PRODUCT}})
    whole = {
        "ProductId": PRODUCT,
        "PublicKeys": ["first", "second"],
        "LicenseKey": "abc-1234",
        "ProductApiKey": "pk_1",
        "ServerBaseEndpoint": ENDPOINT,
        "LicenseFile": "data/license.bin",
        "StateFolder": "data",
        "AppVersion": "2.4.0",
        "DeviceName": "Ada's laptop",
        "GracePeriodDays": 3,
        "TimeoutSeconds": 2.5,
        "ProtectFile": True,
        "TrustEnvironment": False,
        "SeatMode": "Session",
        "Telemetry": False,
    }
    camel = {name[0].lower() + name[1:]: value for name, value in whole.items()}
    camel |= {"licenseFile": "{folder}/data/license.bin", "stateFolder": "{folder}/data"}
    return [
        settings("nothing", {}, None),
        settings("licet-json", {LICET: plain}, LICET, productId=PRODUCT),
        settings("appsettings", {APPSETTINGS: section}, APPSETTINGS, productId=PRODUCT),
        settings(
            "licet-json-before-appsettings",
            {LICET: plain, APPSETTINGS: '{"Licet": {"ProductId": "another", "Telemetry": true}}'},
            LICET,
            productId=PRODUCT,
        ),
        settings(
            "appsettings-without-a-section", {APPSETTINGS: plain}, APPSETTINGS, productId=PRODUCT
        ),
        settings("section-in-licet-json", {LICET: section}, LICET, productId=PRODUCT),
        settings(
            "names-in-any-case",
            {LICET: json.dumps({"LICET": {"productid": PRODUCT, "serverBASEendpoint": ENDPOINT}})},
            LICET,
            productId=PRODUCT,
            serverBaseEndpoint=ENDPOINT,
        ),
        settings("every-setting", {LICET: json.dumps(whole)}, LICET, **camel),
        settings(
            "api-key-by-its-short-name", {LICET: '{"ApiKey": "pk_1"}'}, LICET, productApiKey="pk_1"
        ),
        settings(
            "unknown-and-null-settings", {LICET: '{"Color": "red", "LicenseKey": null}'}, LICET
        ),
        settings("test-mode", {LICET: '{"TestMode": true, "test_mode": true}'}, LICET),
        settings("byte-order-mark", {LICET: "\ufeff" + plain}, LICET, productId=PRODUCT),
        settings(
            "line-comments",
            {
                APPSETTINGS: '// of the application\n{"Licet": { // ours\n'
                f'"ProductId": "{PRODUCT}"\n}} }}\n//'
            },
            APPSETTINGS,
            productId=PRODUCT,
        ),
        settings(
            "block-comments",
            {APPSETTINGS: f'{{"Licet": {{/* ours\n * since 2 */ "ProductId": /**/"{PRODUCT}"}}}}'},
            APPSETTINGS,
            productId=PRODUCT,
        ),
        settings(
            "trailing-commas",
            {
                APPSETTINGS: f'{{"Licet": {{"ProductId": "{PRODUCT}", '
                '"PublicKeys": ["first", ], },\n}'
            },
            APPSETTINGS,
            productId=PRODUCT,
            publicKeys=["first"],
        ),
        settings(
            "comment-signs-in-strings",
            {
                LICET: f'{{"ServerBaseEndpoint": "{ENDPOINT}", '
                '"DeviceName": "a /* b */, } \\" // c"}'
            },
            LICET,
            serverBaseEndpoint=ENDPOINT,
            deviceName='a /* b */, } " // c',
        ),
        refused("not-json", "ProductId = 1"),
        refused("cut-off", plain[:-3]),
        refused("comment-without-an-end", plain + " /* and"),
        refused("only-a-comma", '{"Licet": {,}}'),
        refused("two-commas", plain.replace("}", ",,}")),
        refused("a-list", "[]"),
        refused("section-that-is-a-list", '{"Licet": []}', APPSETTINGS),
        refused("text-for-a-number", '{"GracePeriodDays": "3"}'),
        refused("number-for-text", '{"ProductId": 7}'),
        refused("truth-for-a-number", '{"TimeoutSeconds": true}'),
        refused("text-for-a-truth", '{"ProtectFile": "yes"}'),
        refused("text-for-a-list", '{"PublicKeys": "first"}'),
        refused("the-same-option-twice", '{"ApiKey": "pk_1", "ProductApiKey": "pk_2"}'),
        refused("the-same-setting-in-two-cases", '{"ProductId": "a", "productid": "b"}'),
    ]
