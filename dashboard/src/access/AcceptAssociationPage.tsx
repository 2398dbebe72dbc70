import { t } from "@lingui/core/macro";
import { AssociationAcceptance, type Offer } from "./AssociationAcceptance";
import { AuthLink } from "./AuthLink";
import { MailedOffer } from "./MailedOffer";

/** Accepts a vendor's invitation for an institution of the user. */
export default function AcceptAssociationPage() {
  return (
    <MailedOffer<Offer>
      title={t`Receive licenses`}
      footer={<AuthLink to="/">{t`Not now`}</AuthLink>}
      preview="/api/associations/preview"
      advice={t`Ask the vendor to resend the invitation.`}
    >
      {(token, offer) => <AssociationAcceptance token={token} offer={offer} />}
    </MailedOffer>
  );
}
