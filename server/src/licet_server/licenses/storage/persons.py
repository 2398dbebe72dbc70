"""Licenses as what is stored of their holders."""

from licet_server.kit.personal import PersonalRows
from licet_server.licenses.tables import licenses

ROWS = PersonalRows((licenses,))
