"""What telemetry stores of persons."""

from licet_server.customers.service.hooks import DataOfLicenses
from licet_server.telemetry.storage.persons import ROWS

PERSONAL_DATA = DataOfLicenses(ROWS)
