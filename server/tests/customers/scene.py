"""A customer who left traces wherever one can."""

from dataclasses import dataclass
from typing import Any

from licenses.factories import make_product, product_key
from offline.machine import Machine
from portal.people import EndUser, make_end_user
from testkit import FakeClock, Owner, numbers
from world import Vendor

from licet_server.events.service.sealing import seal_events
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.portal.service.access import mail_access
from licet_server.worker import dispatch_events


@dataclass
class Scene:
    """A customer with a name that is nowhere else, who left traces wherever one can."""

    vendor: Vendor
    name: str
    email: str
    customer: dict[str, Any]
    licenses: dict[str, dict[str, Any]]
    user: EndUser

    @property
    def path(self) -> str:
        return f"/api/customers/{self.customer['id']}"

    async def erase(self, licenses: str) -> dict[str, Any]:
        body = {"licenses": licenses}
        return dict(await self.vendor.owner.ok("POST", f"{self.path}/erase", body))


async def use(scene: Scene) -> None:
    """Leave traces: devices, sessions, attempts, charges, telemetry."""
    vendor, named = scene.vendor, {"deviceName": f"{scene.name}'s laptop"}
    of = scene.licenses
    await vendor.activate(of["Concurrent"], "m1", **named, metadata={"user": scene.email})
    await vendor.connected(of["Floating"], "m1", **named, instanceId=scene.name)
    ended = await vendor.connected(of["Floating"], "m2", **named)
    await vendor.disconnect(ended)
    await vendor.validate(of["NodeLocked"], "m1", **named)
    await vendor.validate(of["NodeLocked"], "m2", **named)
    offline = f"/api/licenses/{of['NodeLocked']['id']}/offline"
    request = Machine(vendor, of["NodeLocked"], "m1").sign(**named)
    await vendor.owner.ok("POST", offline, {"request": request})
    grant = {"licenseId": of["MeteredToken"]["id"], "amount": 5}
    words = {"reason": f"Asked for by {scene.name}", "externalReference": scene.email}
    await vendor.owner.ok("POST", "/api/meter/grant", {**grant, **words})
    reported = {
        "name": "exported",
        "occurredAt": FakeClock.START.isoformat(),
        "properties": {"by": scene.email},
    }
    body = {"licenseKey": of["Concurrent"]["licenseKey"], "hardwareId": "m1", "events": [reported]}
    assert (await vendor.call("POST", "/api/telemetry", body)).status_code == 202


async def make_scene(owner: Owner, platform: Platform, passwords: Passwords, client: Any) -> Scene:
    """The customer, with everything but the last event sealed."""
    number = next(numbers)
    name, email = f"Zébedee O'Quill {number:05}", f"zq{number:05}@quill.example"
    product = await make_product(owner)
    vendor = Vendor(owner, product, {"X-API-KEY": await product_key(owner, product)})
    details = {
        "company": f"{name} Ltd",
        "externalReference": f"cus-{email}",
        "notes": f"{name} pays late.",
        "metadata": {"contact": email},
    }
    body = {"name": name, "email": email, **details}
    customer = await owner.ok("POST", "/api/customers", body)
    webhook = {"url": "https://hooks.example.com/licet", "eventTypes": ["*"]}
    await owner.ok("POST", "/api/webhooks", webhook)
    given = {"issuedTo": email.upper(), "notes": f"For {name}", "metadata": {"for": name}}
    licenses = {
        model: await vendor.issue(model, licenseName=f"{name}: {model}", **given)
        for model in ("Concurrent", "Floating", "NodeLocked", "MeteredToken")
    }
    body = {
        "productId": product["id"],
        "type": "Perpetual",
        "licenseName": f"{name}: own",
        "username": email,
        "password": "correct horse battery",
        **given,
    }
    key = {"headers": {"Idempotency-Key": f"sale-{number}"}}
    licenses["Perpetual"] = await owner.ok("POST", "/api/licenses", body, **key)
    user = await make_end_user(platform, client, passwords, email)
    await user.ok("PUT", "/api/auth/me", {"fullName": f"{name} the user"})
    found = Scene(vendor, name, email, customer, licenses, user)
    await use(found)
    [device] = await user.devices(licenses["Concurrent"])
    assert (await user.release(licenses["Concurrent"], device["id"])).is_success
    await owner.ok("POST", f"{found.path}/portal-link")
    await mail_access(platform)
    gone = await vendor.issue("MeteredCount", licenseName="Gone", issuedTo=email)
    words = {"licenseId": gone["id"], "amount": 1, "reason": f"A gift for {name}"}
    await owner.ok("POST", "/api/meter/grant", words)
    await owner.ok("DELETE", f"/api/licenses/{gone['id']}")
    reason = {"reason": f"{name} asked for a pause"}
    suspended = f"/api/licenses/{licenses['Perpetual']['id']}"
    await owner.ok("POST", f"{suspended}/suspend", reason)
    await owner.ok("POST", f"{suspended}/reinstate")
    await owner.ok("POST", f"{suspended}/notes", {"note": f"{name} called."})
    await owner.ok("POST", f"{found.path}/notes", {"note": f"{name} wrote."})
    await dispatch_events(platform)
    await seal_events(platform)
    await owner.ok("PUT", found.path, {"notes": f"{name}, again"})  # not sealed yet
    return found
