import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import { WebhookIcon } from "../ui/icons";
import { EmptyState } from "../ui/EmptyState";
import { ButtonLink } from "../ui/PageLink";

/** Shown to users who may not manage webhooks. */
export const NoWebhookAccess = () => (
  <Card>
    <EmptyState
      icon={<WebhookIcon />}
      title={t`Only Owners and Admins can manage webhooks`}
      action={
        <ButtonLink to="/" variant="outlined">
          {t`Go to Home`}
        </ButtonLink>
      }
    >
      {t`Webhooks notify other systems of events. If you need one, ask an Owner or Admin of your institution.`}
    </EmptyState>
  </Card>
);
