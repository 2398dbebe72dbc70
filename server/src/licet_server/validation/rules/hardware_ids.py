"""The licenses that require a hardware ID."""

from licet_server.licenses.rules.model import License


def is_hardware_id_required(license_: License) -> bool:
    """Check whether the license is for one machine, or has a blocked device that could hide."""
    return license_.traits.is_node_locked or license_.blocked_devices > 0
