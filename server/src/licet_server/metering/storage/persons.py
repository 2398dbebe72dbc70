"""Ledger entries as what is stored of a person; their amounts stay."""

from licet_server.kit.personal import PersonalLines, PersonalRows
from licet_server.metering.tables import meter_entries

ROWS = PersonalRows((meter_entries,))

LINES = PersonalLines(meter_entries)
"""Rows in archives."""
