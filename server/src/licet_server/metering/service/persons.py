"""What metering stores of persons."""

from licet_server.customers.service.hooks import DataOfLicenses
from licet_server.metering.storage.persons import ROWS

PERSONAL_DATA = DataOfLicenses(ROWS)
