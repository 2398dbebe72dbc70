"""Which licenses ask for a hardware ID."""

from licet_server.licenses.rules.model import License


def is_hardware_id_required(license_: License) -> bool:
    """Whether the license is for one machine, or a device is blocked that may hide otherwise."""
    return license_.traits.is_node_locked or license_.blocked_devices > 0
