import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { EmptyState } from "../../ui/EmptyState";
import { ConnectorIcon, OrderIcon } from "../../ui/icons";
import { Page } from "../../ui/Page";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { OrderList } from "./OrderList";

/** What shops have sold, and the licenses that came of it. */
export default function OrdersPage() {
  const { institutionId } = useInstitution();
  const can = useCan();
  const isShown = can.role !== "Member" || can.isSystemAdmin;
  return (
    <Page
      title={t`Orders`}
      help="connectors"
      subtitle={t`What your shops have sold, and the licenses issued for it.`}
      actions={
        can.manage && (
          <Button
            component={Link}
            to="/connectors"
            variant="outlined"
            startIcon={<ConnectorIcon />}
          >
            {t`Connectors`}
          </Button>
        )
      }
    >
      {institutionId && isShown && <OrderList institutionId={institutionId} manage={can.manage} />}
      {(institutionId === null || (institutionId && !isShown)) && (
        <EmptyState icon={<OrderIcon />} title={t`You cannot see orders`}>
          {t`Owners, Admins and Viewers of an institution can.`}
        </EmptyState>
      )}
    </Page>
  );
}
