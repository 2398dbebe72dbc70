"""Hardware IDs: what is read on each system, and the ID of one product that follows."""

from __future__ import annotations

import hashlib
import hmac

from pieces import OTHER_PRODUCT, PRODUCT

MACHINE_ID = "4c4c4544004d3510804ab6c04f4e4d32"
DBUS_ID = "9b2f0d5be7a84a0c8f3c6f1f2a7d5e11"
GUID = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
UUID = "564D7A1B-9C0E-4E6F-8A2D-3B5C7D9E1F20"
IOREG = f"""+-o Root  <class IORegistryEntry, id 0x100000100, retain 11>
  +-o MacBookPro18,3  <class IOPlatformExpertDevice, id 0x10000022e, registered, matched, active>
      {{
        "IOPlatformSerialNumber" = "C02XXXXXXXXX"
        "IOPlatformUUID" = "{UUID}"
        "model" = <"MacBookPro18,3">
      }}
"""
GITHUB = {
    "GITHUB_ACTIONS": "true",
    "GITHUB_SERVER_URL": "https://github.example.com",
    "GITHUB_REPOSITORY": "acme/tool",
}
MOUNT = "612 590 8:1 /etc/machine-id /etc/machine-id ro,relatime - ext4 /dev/sda1 rw"
OTHER_MOUNT = "613 590 8:1 /etc/hosts /etc/hosts rw,relatime - ext4 /dev/sda1 rw"


def hardware_id(source: str, raw: str, product: str = PRODUCT) -> str:
    """The recipe of README.md."""
    key = hashlib.sha256(b"licet/hardware-id/v1\0" + product.encode()).digest()
    digest = hmac.new(key, f"{source}:{raw}".encode(), hashlib.sha256).hexdigest()
    return f"h1{source}-{digest[:40]}"


def machine(
    name: str,
    platform: str,
    source: str,
    raw: str | None,
    *,
    product: str = PRODUCT,
    stored: str | None = None,
    ci: bool = True,
    **facts: object,
) -> dict:
    """``raw`` is what is hashed; ``None`` if it is random and only has to stay the same."""
    return {
        "name": name,
        "productId": product,
        "ciHardwareId": ci,
        "stored": stored,
        "facts": {"platform": platform, "files": {}, "environment": {}, "hostName": "", **facts},
        "expected": {
            "source": source,
            "hardwareId": None if raw is None else hardware_id(source, raw, product),
        },
    }


def desktop_cases() -> list[dict]:
    etc, dbus = "/etc/machine-id", "/var/lib/dbus/machine-id"
    return [
        machine("linux", "linux", "m", MACHINE_ID, files={etc: f"{MACHINE_ID}\n"}),
        machine(
            "linux-of-another-product",
            "linux",
            "m",
            MACHINE_ID,
            product=OTHER_PRODUCT,
            files={etc: f"{MACHINE_ID}\n"},
        ),
        machine(
            "linux-in-upper-case",
            "linux",
            "m",
            MACHINE_ID,
            files={etc: f" {MACHINE_ID.upper()} \n"},
        ),
        machine("linux-dbus-only", "linux", "m", DBUS_ID, files={dbus: f"{DBUS_ID}\n"}),
        machine(
            "linux-first-file-wins",
            "linux",
            "m",
            MACHINE_ID,
            files={etc: f"{MACHINE_ID}\n", dbus: f"{DBUS_ID}\n"},
        ),
        machine(
            "linux-uninitialized",
            "linux",
            "m",
            DBUS_ID,
            files={etc: "uninitialized\n", dbus: f"{DBUS_ID}\n"},
        ),
        machine(
            "linux-all-zeros",
            "linux",
            "n",
            "workstation-7",
            files={etc: "0" * 32 + "\n"},
            hostName="Workstation-7",
        ),
        machine(
            "linux-too-short",
            "linux",
            "n",
            "workstation-7",
            files={etc: "abc123\n"},
            hostName="workstation-7",
        ),
        machine("macos", "darwin", "m", UUID.lower(), ioreg=IOREG),
        machine("macos-without-ioreg", "darwin", "n", "adas-mac.local", hostName="Adas-Mac.local"),
        machine("windows", "win32", "m", GUID.lower(), machineGuid=GUID),
        machine("windows-with-a-null", "win32", "m", GUID.lower(), machineGuid=f"{GUID}\0"),
        machine(
            "windows-placeholder",
            "win32",
            "n",
            "desktop-4f2k9",
            machineGuid="00000000-0000-0000-0000-000000000000",
            hostName="DESKTOP-4F2K9",
        ),
    ]


def container_cases() -> list[dict]:
    etc, marker = "/etc/machine-id", {"/.dockerenv": ""}
    image = {**marker, etc: f"{MACHINE_ID}\n"}
    return [
        machine("docker-machine-id-of-the-image", "linux", "c", MACHINE_ID, files=image),
        machine(
            "docker-machine-id-mounted",
            "linux",
            "m",
            MACHINE_ID,
            files={**image, "/proc/self/mountinfo": f"{OTHER_MOUNT}\n{MOUNT}\n"},
        ),
        machine(
            "docker-something-else-mounted",
            "linux",
            "c",
            MACHINE_ID,
            files={**image, "/proc/self/mountinfo": f"{OTHER_MOUNT}\n"},
        ),
        machine(
            "podman",
            "linux",
            "c",
            MACHINE_ID,
            files={"/run/.containerenv": "", etc: f"{MACHINE_ID}\n"},
        ),
        machine(
            "kubernetes-by-environment",
            "linux",
            "c",
            MACHINE_ID,
            files={etc: f"{MACHINE_ID}\n"},
            environment={"KUBERNETES_SERVICE_HOST": "10.0.0.1"},
        ),
        machine(
            "systemd-nspawn-by-environment",
            "linux",
            "c",
            MACHINE_ID,
            files={etc: f"{MACHINE_ID}\n"},
            environment={"container": "systemd-nspawn"},
        ),
        machine(
            "container-by-control-groups",
            "linux",
            "c",
            MACHINE_ID,
            files={
                etc: f"{MACHINE_ID}\n",
                "/proc/1/cgroup": "0::/system.slice/docker-1f2e3d4c5b6a.scope\n",
            },
        ),
        machine(
            "docker-with-a-given-host-name",
            "linux",
            "n",
            "render-01",
            files=marker,
            hostName="render-01",
        ),
        machine(
            "docker-with-a-generated-host-name",
            "linux",
            "s",
            None,
            files=marker,
            hostName="3f1a2b4c5d6e",
        ),
        machine(
            "kubernetes-with-a-generated-host-name",
            "linux",
            "s",
            None,
            files=marker,
            hostName="web-7c9d8b6f5-x2x4q",
        ),
        machine(
            "stored-id-before-the-host-name",
            "linux",
            "s",
            "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
            files=marker,
            stored="0f1e2d3c4b5a69788796a5b4c3d2e1f0",
            hostName="render-01",
        ),
        machine(
            "stored-id-that-is-damaged",
            "linux",
            "n",
            "render-01",
            files=marker,
            stored="0000000000000000",
            hostName="render-01",
        ),
    ]


def ci_cases() -> list[dict]:
    etc = {"/etc/machine-id": f"{MACHINE_ID}\n"}

    def job(name: str, raw: str, environment: dict[str, str]) -> dict:
        return machine(name, "linux", "j", raw, files=etc, environment=environment)

    return [
        job("ci-github", "GITHUB_ACTIONS/https://github.example.com/acme/tool", GITHUB),
        job(
            "ci-gitlab",
            "GITLAB_CI/https://gitlab.example.com/acme/tool",
            {
                "GITLAB_CI": "true",
                "CI_SERVER_URL": "https://gitlab.example.com",
                "CI_PROJECT_PATH": "acme/tool",
            },
        ),
        job(
            "ci-circle",
            "CIRCLECI/acme/tool",
            {
                "CIRCLECI": "true",
                "CIRCLE_PROJECT_USERNAME": "acme",
                "CIRCLE_PROJECT_REPONAME": "tool",
            },
        ),
        job(
            "ci-azure",
            "TF_BUILD/https://dev.example.com/acme//tool",
            {
                "TF_BUILD": "True",
                "SYSTEM_COLLECTIONURI": "https://dev.example.com/acme/",
                "SYSTEM_TEAMPROJECT": "tool",
            },
        ),
        job(
            "ci-bitbucket",
            "BITBUCKET_BUILD_NUMBER/acme/tool",
            {"BITBUCKET_BUILD_NUMBER": "7", "BITBUCKET_REPO_FULL_NAME": "acme/tool"},
        ),
        job(
            "ci-buildkite",
            "BUILDKITE/acme/tool",
            {
                "BUILDKITE": "true",
                "BUILDKITE_ORGANIZATION_SLUG": "acme",
                "BUILDKITE_PIPELINE_SLUG": "tool",
            },
        ),
        job("ci-travis", "TRAVIS/acme/tool", {"TRAVIS": "true", "TRAVIS_REPO_SLUG": "acme/tool"}),
        job(
            "ci-jenkins",
            "JENKINS_URL/https://ci.example.com/",
            {"JENKINS_URL": "https://ci.example.com/"},
        ),
        machine(
            "ci-without-a-project",
            "linux",
            "m",
            MACHINE_ID,
            files=etc,
            environment={"GITHUB_ACTIONS": "true"},
        ),
        machine("ci-turned-off", "linux", "m", MACHINE_ID, ci=False, files=etc, environment=GITHUB),
        machine(
            "ci-on-windows",
            "win32",
            "j",
            "TRAVIS/acme/tool",
            machineGuid=GUID,
            environment={
                "TRAVIS": "true",
                "TRAVIS_REPO_SLUG": "acme/tool",
            },
        ),
    ]


def machine_cases() -> list[dict]:
    return [*desktop_cases(), *container_cases(), *ci_cases()]
