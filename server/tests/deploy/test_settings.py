"""Each setting in the files of deploy/ is one of the server's, with a value that it takes."""

import base64
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from deploy.files import FOLDER, variables

from licet_server.kit import settings as settings_module
from licet_server.kit.database_address import Address
from licet_server.kit.settings import SECRETS, SUFFIX, read_settings
from licet_server.kit.spreading import WANTED

KEY = base64.b64encode(bytes(32)).decode()
VALUES = {
    "POSTGRES_PASSWORD": "secret",
    "LICET_MASTER_KEY": KEY,
    "LICET_ADMIN_EMAIL": "ada@example.com",
    "LICET_ADMIN_PASSWORD": "a long enough password",
}


def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((FOLDER / "compose.yaml").read_text()))


@pytest.mark.parametrize(
    "file", sorted(path for path in FOLDER.iterdir() if path.is_file()), ids=lambda path: path.name
)
def test_each_named_setting_is_one_of_the_server(file: Path) -> None:
    known = set(re.findall(r'"(LICET_[A-Z_]+)"', Path(settings_module.__file__).read_text()))
    known |= {name + SUFFIX for name in SECRETS}
    assert set(re.findall(r"\bLICET_[A-Z_]+", file.read_text())) <= known


def test_the_server_takes_the_environment_of_the_unit() -> None:
    given = variables("licet.env") | {"LICET_MASTER_KEY": KEY}
    settings = read_settings(given)
    assert settings.database_url is not None
    address = Address.of_url(settings.database_url)
    assert len(address.servers) == 2
    assert dict(address.options)["target_session_attrs"] == "read-write"
    assert settings.is_behind_proxy


def test_the_server_takes_the_environment_of_the_containers(tmp_path: Path) -> None:
    file = compose()
    (tmp_path / "master-key").write_text(KEY)
    assert set(variables("compose.env")) == set(VALUES)
    for name in ("one", "two"):
        node = file["services"][name]
        given = {
            key: re.sub(r"\$\{(\w+)(?::?[-?]([^}]*))?\}", lambda m: VALUES.get(m[1], m[2]), value)
            for key, value in node["environment"].items()
        }
        del given["LICET_ADMIN_EMAIL"]  # its password comes from the entrypoint
        folder = "/run/secrets/"
        settings = read_settings(
            {key: value.replace(folder, f"{tmp_path}/") for key, value in given.items()}
        )
        assert settings.master_keys
        proxy = file["services"]["proxy"]
        assert (
            str(settings.trusted_proxies[0].network_address)
            == (proxy["networks"]["inside"]["ipv4_address"])
        )
        host = node["networks"]["inside"]["ipv4_address"]
        assert proxy["environment"][f"NODE_{name.upper()}"] == f"{host}:8000"
        assert int(node["stop_grace_period"][:-1]) >= settings.shutdown_grace + 15


def test_both_containers_have_the_key_and_the_files() -> None:
    services = compose()["services"]
    one, two = services["one"], services["two"]
    assert "master-key" in one["secrets"] == two["secrets"]
    assert set(one["volumes"]) & set(two["volumes"]) == {"files:/var/lib/licet-files"}
    assert "exec licet-server serve" in one["entrypoint"][-1], "SIGTERM reaches the server"


def test_the_unit_and_the_image_give_a_stop_its_time() -> None:
    unit = (FOLDER / "licet.service").read_text()
    grace = int(re.findall(r"LICET_SHUTDOWN_GRACE=(\d+)", unit)[0])
    assert int(re.findall(r"TimeoutStopSec=(\d+)", unit)[0]) >= grace + 15
    image = (FOLDER / "Containerfile").read_text()
    assert 'ENTRYPOINT ["licet-server"]' in image
    assert "USER licet" in image


def test_containers_show_no_secret_and_have_no_rights_to_lose() -> None:
    file = compose()
    secret = {item["environment"] for item in file["secrets"].values()}
    for name, service in file["services"].items():
        shown = re.findall(r"\$\{(\w+)", str(service.get("environment")))
        assert not secret & set(shown), f"{name} shows a secret in its variables"
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges"], name
        assert service["mem_limit"], name
        assert service["pids_limit"], name


def test_the_nodes_of_citus_are_set_up_as_the_start_demands() -> None:
    file = yaml.safe_load((FOLDER / "citus.yaml").read_text())
    services = file["services"]
    assert services.keys() >= services["cluster"]["depends_on"].keys()
    for name in ("coordinator", "worker-one", "worker-two"):
        assert services[f"{name}-standby"]["environment"] == {"OF": name}
        given = dict(item[2:].split("=", 1) for item in services[name]["command"][1:])
        assert {key.lower(): value for key, value in WANTED.items()}.items() <= given.items()
    assert Address.of_url(services["node"]["environment"]["DATABASE_URL"]).is_distributed


def test_patroni_takes_orders_and_etcd_connections_from_its_own_alone() -> None:
    given = variables("patroni.env")
    assert {"PATRONI_RESTAPI_USERNAME", "PATRONI_RESTAPI_PASSWORD"} <= given.keys()
    assert given["PATRONI_ETCD_PROTOCOL"] == "https"
    assert {"PATRONI_ETCD_CACERT", "PATRONI_ETCD_CERT", "PATRONI_ETCD_KEY"} <= given.keys()
