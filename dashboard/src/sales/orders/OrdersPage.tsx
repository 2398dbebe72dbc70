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
      title="Orders"
      help="connectors"
      subtitle="What your shops have sold, and the licenses that came of it."
      actions={
        can.manage && (
          <Button
            component={Link}
            to="/connectors"
            variant="outlined"
            startIcon={<ConnectorIcon />}
          >
            Connectors
          </Button>
        )
      }
    >
      {institutionId && isShown && <OrderList institutionId={institutionId} manage={can.manage} />}
      {(institutionId === null || (institutionId && !isShown)) && (
        <EmptyState icon={<OrderIcon />} title="You cannot see orders">
          Owners, Admins and Viewers of an institution can.
        </EmptyState>
      )}
    </Page>
  );
}
