"""Composes what the features above customers store of persons."""

from licet_server.connectors.service.erasure import PersonalDataOfSales
from licet_server.customers.service.hooks import DataOfLicenses, PersonalDataOfFeatures
from licet_server.delivery.service.persons import MailsOfPersons
from licet_server.notifications.service.persons import NotificationsOfPersons
from licet_server.saved_views.service import ViewsOfPersons
from licet_server.webhooks.service.persons import DeliveriesOfPersons

PERSONAL_DATA = PersonalDataOfFeatures(
    (
        DataOfLicenses(),
        MailsOfPersons(),
        NotificationsOfPersons(),
        DeliveriesOfPersons(),
        PersonalDataOfSales(),
        ViewsOfPersons(),
    )
)
