"""Composes what the features above customers store of persons."""

from licet_server.connectors.service.persons import SalesOfPersons
from licet_server.customers.service.hooks import PersonalDataOfFeatures
from licet_server.delivery.service.persons import MailsOfPersons
from licet_server.devices.service import persons as devices
from licet_server.licenses.service import persons as licenses
from licet_server.metering.service import persons as metering
from licet_server.notifications.service.persons import NotificationsOfPersons
from licet_server.saved_views.service.persons import ViewsOfPersons
from licet_server.sessions.service import persons as sessions
from licet_server.telemetry.service import persons as telemetry
from licet_server.webhooks.service.persons import DeliveriesOfPersons

PERSONAL_DATA = PersonalDataOfFeatures(
    (
        licenses.PERSONAL_DATA,
        devices.PERSONAL_DATA,
        sessions.PERSONAL_DATA,
        metering.PERSONAL_DATA,
        telemetry.PERSONAL_DATA,
        MailsOfPersons(),
        NotificationsOfPersons(),
        DeliveriesOfPersons(),
        SalesOfPersons(),
        ViewsOfPersons(),
    )
)
