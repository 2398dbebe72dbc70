import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import { EmptyState } from "../../ui/EmptyState";
import { ConnectorIcon } from "../../ui/icons";
import { ButtonLink } from "../../ui/PageLink";

/** Shown to users who may not manage connectors. */
export const NoConnectorAccess = () => (
  <Card>
    <EmptyState
      icon={<ConnectorIcon />}
      title={t`Only Owners and Admins can manage connectors`}
      action={
        <ButtonLink to="/orders" variant="outlined">
          {t`Go to Orders`}
        </ButtonLink>
      }
    >
      {t`Connectors turn the sales of your shop into licenses. If one is missing, ask an Owner or Admin of your institution.`}
    </EmptyState>
  </Card>
);
