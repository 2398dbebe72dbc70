"""Composes the personal data of the features above customers."""

from licet_server.connectors.service.erasure import PersonalDataOfSales
from licet_server.customers.service.hooks import PersonalDataOfFeatures, PersonalDataOfLicenses
from licet_server.delivery.service.mails import PersonalDataOfMails
from licet_server.notifications.service.notifying import PersonalDataOfNotifications
from licet_server.saved_views.service import PersonalDataOfViews
from licet_server.webhooks.service.deliveries import PersonalDataOfDeliveries

PERSONAL_DATA = PersonalDataOfFeatures(
    (
        PersonalDataOfLicenses(),
        PersonalDataOfMails(),
        PersonalDataOfNotifications(),
        PersonalDataOfDeliveries(),
        PersonalDataOfSales(),
        PersonalDataOfViews(),
    )
)
