"""What Licet does, statement by statement; docs/specification.md lists the tests that prove each.

The id of a statement is what `@pytest.mark.specification` names.
"""

from collections.abc import Mapping

STATEMENTS: Mapping[str, Mapping[str, str]] = {
    "The service": {
        "service.dashboard": (
            "Whatever an operator can change through the API, they can change in the dashboard."
        ),
        "service.api": "The API enforces licenses at run time and automates what operators do.",
        "service.sdk-offline": (
            "The SDK verifies a signed license file without the server, with the product's "
            "public key."
        ),
        "service.sdk-online": "The SDK refreshes the state of a license online.",
        "service.tenants": "An institution is a tenant: nothing of it is visible to another one.",
        "service.vendor-flow": (
            "From account and institution to product, keys, license and validation: the "
            "vendor's first hour works."
        ),
        "service.artifacts": (
            "A license is handed out as its key, its signed license.bin and the product's "
            "public key."
        ),
        "service.path-case": "Paths are matched in any letter case.",
    },
    "License models": {
        "models.perpetual": (
            "A Perpetual license is valid without an end, or until an optional one, online "
            "and offline."
        ),
        "models.perpetual-credentials": (
            "A Perpetual license with a username and a password is valid online with both only."
        ),
        "models.trial": (
            "A Trial is limited in time, can be extended, and converts to a paid model with "
            "the same key."
        ),
        "models.subscription": "A Subscription has an end that a renewal moves.",
        "models.floating": "A Floating license caps live sessions.",
        "models.concurrent": "A Concurrent license caps activated devices.",
        "models.concurrent-sessions": (
            "Sessions of a Concurrent license are shown and neither take nor free a seat."
        ),
        "models.node-locked": "A Node-locked license works on one machine.",
        "models.auto-bind": (
            "With Auto-bind, the first validation binds a Node-locked license to its machine."
        ),
        "models.owner-approval": (
            "With Product owner approval, a machine waits until the owner approves it."
        ),
        "models.credit-based": (
            "A Credit-Based license spends tokens from a shared wallet at a price for each feature."
        ),
        "models.usage-based": (
            "A Usage-Based license counts uses from a shared counter; a use costs its quantity."
        ),
        "models.modes": (
            "Floating and metered licenses are online only; the others are online or "
            "offline as chosen."
        ),
        "models.numbers": (
            "Models are named, and numbered for those that send numbers; metered ones are 6 and 7."
        ),
    },
    "Roles": {
        "roles.owner": (
            "Owners and Admins create, change, revoke and delete, see devices, and grant balances."
        ),
        "roles.member": (
            "A Member sees the licenses of the products and releases assigned to them, and "
            "changes nothing."
        ),
        "roles.viewer": "A Viewer reads and changes nothing.",
        "roles.end-user": (
            "An end user sees their own licenses and balances, and changes no balance."
        ),
        "roles.every-route": "Every route refuses who is not entitled to it.",
    },
    "Products and releases": {
        "products.fields": (
            "A product has a unique name, an initial version that becomes its first "
            "release, and a channel."
        ),
        "products.access-type": (
            "A product is open to any license holder, or tied to associated institutions."
        ),
        "products.image": "A product may have a description and an image.",
        "products.keys": "A product has one RSA key pair and a product key for applications.",
        "releases.fields": "A release has a version of any form, a channel and files.",
        "releases.version-line": (
            "A license is tied to the version line of its release, in validation and in "
            "update checks."
        ),
        "releases.updates": (
            "An application asks for updates by channel and platform, and downloads their files."
        ),
    },
    "Licenses": {
        "licenses.required": (
            "Each field that a model requires is required, and one it does not take is "
            "refused, by name."
        ),
        "licenses.keys-first": "No license is issued before the product has signing keys.",
        "licenses.key": "A license has a key in text that survives how people type it.",
        "licenses.initial-balance": (
            "A metered license starts with a balance above 0, recorded as its initial grant."
        ),
        "licenses.entitlements": (
            "An entitlement set limits which features a license may use; without one it is "
            "not restricted."
        ),
        "licenses.notes": "Notes are rich text, shown safely.",
        "licenses.list": "Licenses are listed, filtered, searched and paged.",
    },
    "States": {
        "states.expired": (
            "A license past its end reads Expired at that instant, and validation fails."
        ),
        "states.renewed": "Extending the term of an expired license makes it active again.",
        "states.revoked": (
            "A revoked license fails online at once; it can be restored for a day, and not later."
        ),
        "states.revoked-offline": "An offline file of a revoked license fails at the next refresh.",
        "states.suspended": "A license can be suspended and reinstated.",
        "states.session": (
            "A session lives while heartbeats arrive; without them, or disconnected, its "
            "seat is free."
        ),
        "states.force-disconnect": "An operator ends a session.",
        "states.deactivation": "Deactivating a device frees its seat.",
        "states.blocked": "A blocked device is denied everywhere until it is unblocked.",
        "states.zero-balance": (
            "A metered license without a balance stays valid; only charges fail."
        ),
        "states.attempt-reviewed": (
            "An access attempt can be marked reviewed, which clears its warning."
        ),
    },
    "Signing keys and license files": {
        "keys.generate": "Generating keys again makes files signed with the old ones stale.",
        "keys.status": "The status of the keys is shown, and the public key as JSON and as PEM.",
        "keys.private": "The private key never leaves the server.",
        "keys.derive": (
            "A key for protected license files is derived from the license key and a salt."
        ),
        "keys.signature-mismatch": (
            "A file of another product, edited bytes and a stale key read SignatureMismatch."
        ),
    },
    "Validation, devices and sessions": {
        "runtime.validate": (
            "A license key is validated online against its state, its machine and its version line."
        ),
        "runtime.no-balance": "Validation and sessions never look at the balance.",
        "runtime.activate": "A device takes a seat, and gives it back.",
        "runtime.max-activations": "A full pool of devices is MaxActivationsReached.",
        "runtime.max-sessions": "A full pool of sessions is MaxConcurrentSessionsReached.",
        "runtime.heartbeat-limit": (
            "Heartbeats that come too fast are RateLimited; the session stays."
        ),
        "runtime.session-not-found": (
            "A heartbeat of a session that has ended is SessionNotFound, and the SDK "
            "connects again."
        ),
        "runtime.no-cap": "Metered models and those without a cap take any number of devices.",
    },
    "Access attempts": {
        "attempts.recorded": (
            "Each machine that is denied because a license is bound elsewhere is recorded, "
            "with a counter."
        ),
        "attempts.observed": "Recording attempts changes no response, no binding and no license.",
        "attempts.who": "Owners and Admins only see and review attempts.",
        "attempts.alert": "Owners are alerted once for each machine and day.",
        "attempts.masked": "Hardware IDs are masked in logs and in the text of notifications.",
    },
    "Metering": {
        "meter.consume": (
            "A charge is taken from the wallet, and a refusal has a code and a success flag."
        ),
        "meter.idempotent": (
            "A retry with the same key returns the first result without a second charge."
        ),
        "meter.key-required": "A Credit-Based charge needs an idempotency key.",
        "meter.insufficient": "A charge beyond the balance fails and changes nothing.",
        "meter.codes": (
            "A refused charge says why: no such license under the product, not metered, "
            "inactive, not entitled, without a price."
        ),
        "meter.attribution": "A charge is attributed to a device.",
        "meter.balance": "An application and an operator read the balance without changing it.",
        "meter.grant": (
            "Grants are above 0 and may have a reason and an external reference; "
            "adjustments are signed."
        ),
        "meter.pricing": "A new price replaces the active one and keeps the history.",
        "meter.threshold": "A low-balance threshold is set and warns once.",
        "meter.reconcile": "Reconciliation compares each wallet with its ledger.",
        "meter.statistics": (
            "Statistics sum up both metered models: counts, balances, consumption, grants, "
            "trends, top lists."
        ),
    },
    "Credentials": {
        "auth.operator": "Operators sign in and carry a short-lived access token.",
        "auth.product-key": "Applications carry the product key.",
        "auth.api-key": (
            "An account API key has a name, scopes, an optional description and end; its "
            "secret is shown once."
        ),
        "auth.api-key-revoked": "A revoked API key stops working and cannot be recovered.",
        "auth.api-key-hardening": "API keys can be rotated and limited to IP addresses.",
    },
    "Events and messages": {
        "events.webhooks": (
            "Webhooks push the events of licenses to the vendor, signed, with retries."
        ),
        "events.notifications": (
            "People are notified in the dashboard and by email as they choose."
        ),
        "events.reminders": "Licenses that are about to expire are announced.",
        "events.audit": (
            "Each change of products, licenses, devices, balances, customers, members and "
            "settings is in the audit log of its institution."
        ),
    },
    "Institutions": {
        "institutions.members": "People are invited to an institution and have a role in it.",
        "institutions.plans": "A plan limits products and licenses.",
        "institutions.settings": "An institution limits IP addresses and requests.",
    },
    "Finding and comparing": {
        "find.search": (
            "A search finds the licenses, customers, devices, live sessions, products and releases "
            "that the caller may see, and no others."
        ),
        "find.views": "Views of lists are saved, and shared by Owners and Admins.",
        "find.home": "One request tells what waits for an operator, and what settles it.",
        "find.trends": (
            "Statistics compare periods, peaks with seats, and renewals with losses, and tell "
            "which versions run."
        ),
        "find.appearance": (
            "End users see their vendor's name, logo, color and words; the color can be read."
        ),
    },
    "SDK settings and versions": {
        "sdk.settings-order": (
            "Settings come from the call, else from the first settings file in the "
            "application's folder, else from defaults."
        ),
        "sdk.base-url": "The server's address must be absolute and end with /api.",
        "sdk.hardware-id": "The SDK finds the hardware ID itself.",
        "versions.storage": "Release files are kept in a folder or in a bucket that speaks S3.",
        "versions.help": "The dashboard has a searchable help center.",
        "versions.notes": "The service has a release number and dated notes.",
    },
    "Disputed points": {
        "mission-1": "Files of a Concurrent Offline license take seats.",
        "mission-2": "An associated institution accepts, sees and manages its licenses.",
        "mission-3": (
            "Validation enforces the cap of a Concurrent license, and a block cannot be evaded."
        ),
        "mission-4": "API keys can bill and build.",
        "mission-5": "An online-only license does not run without ever having reached the server.",
        "mission-6": "A revocation reaches an Offline license whose client has a server.",
        "mission-7": (
            "A Trial becomes metered, and credentials are asked for on every runtime route."
        ),
        "mission-8": (
            "Members and Viewers see counts of devices; an end user reads their own balance."
        ),
        "mission-9": (
            "Release notes are dated, labels are the field's, and reconciliation has a page."
        ),
        "mission-10": "A reminder skips a license whose whole term is not longer.",
        "mission-bug-lost-wallet": "A lost wallet is found and rebuilt from its ledger.",
        "mission-bug-false-renewed": "A revoked license cannot be renewed.",
        "mission-bug-feature-case": "Feature names differ by more than case.",
        "mission-bug-revoked-session": "Revoking a license ends its sessions at once.",
        "mission-bug-role-before-body": "The role is checked before the body.",
        "mission-bug-entry-point": "A refresh is an entry point of its own.",
    },
}
"""By section, in the order of the page."""
