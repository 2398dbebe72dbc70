import { t } from "@lingui/core/macro";
import { WebhookIcon } from "../ui/icons";
import { NoAccess } from "../ui/NoAccess";

/** Shown to users who may not manage webhooks. */
export const NoWebhookAccess = () => (
  <NoAccess icon={<WebhookIcon />} title={t`Only Owners and Admins can manage webhooks`}>
    {t`Webhooks notify other systems of events. If you need one, ask an Owner or Admin of your institution.`}
  </NoAccess>
);
