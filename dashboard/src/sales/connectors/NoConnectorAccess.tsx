import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import { Link } from "react-router";
import { EmptyState } from "../../ui/EmptyState";
import { ConnectorIcon } from "../../ui/icons";

/** Shown to users who may not manage connectors. */
export const NoConnectorAccess = () => (
  <Card>
    <EmptyState
      icon={<ConnectorIcon />}
      title={t`Only Owners and Admins can manage connectors`}
      action={
        <Button component={Link} to="/orders" variant="outlined">
          {t`Go to Orders`}
        </Button>
      }
    >
      {t`Connectors turn the sales of your shop into licenses. If one is missing, ask an Owner or Admin of your institution.`}
    </EmptyState>
  </Card>
);
