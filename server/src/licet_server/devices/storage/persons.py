"""Devices and access attempts as what is stored of a person."""

from licet_server.devices.tables import access_attempts, activations
from licet_server.kit.personal import PersonalLines, PersonalRows

ROWS = PersonalRows(
    (
        access_attempts,
        activations,
    )
)

LINES = PersonalLines(access_attempts)
"""Rows in archives."""
