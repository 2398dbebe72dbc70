import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import { Link } from "react-router";
import { WebhookIcon } from "../ui/icons";
import { EmptyState } from "../ui/EmptyState";

/** Shown to users who may not manage webhooks. */
export const NoWebhookAccess = () => (
  <Card>
    <EmptyState
      icon={<WebhookIcon />}
      title={t`Only Owners and Admins can manage webhooks`}
      action={
        <Button component={Link} to="/" variant="outlined">
          {t`Go to Home`}
        </Button>
      }
    >
      {t`Webhooks notify other systems of events. If you need one, ask an Owner or Admin of your institution.`}
    </EmptyState>
  </Card>
);
