"""What devices store of persons."""

from licet_server.customers.service.hooks import DataOfLicenses
from licet_server.devices.storage.persons import ROWS

PERSONAL_DATA = DataOfLicenses(ROWS)
