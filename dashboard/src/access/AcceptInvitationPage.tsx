import { t } from "@lingui/core/macro";
import { AuthLink } from "./AuthLink";
import { InvitationAcceptance } from "./InvitationAcceptance";
import type { Offer } from "./invitationOffer";
import { MailedOffer } from "./MailedOffer";

/** Accepts an invitation to join an institution. */
export default function AcceptInvitationPage() {
  return (
    <MailedOffer<Offer>
      title={t`Accept an invitation`}
      footer={<AuthLink to="/login">{t`Sign in`}</AuthLink>}
      preview="/api/auth/invitation"
      advice={t`Ask the person who invited you to resend the invitation.`}
    >
      {(token, offer) => <InvitationAcceptance token={token} offer={offer} />}
    </MailedOffer>
  );
}
