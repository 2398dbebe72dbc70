import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Link, useParams } from "react-router";
import { $api } from "../api/client";
import { AddIcon } from "../ui/icons";
import { Page } from "../ui/Page";
import { ProblemAlert } from "../ui/ProblemAlert";
import { RouteTabs } from "../ui/RouteTabs";
import { useCan, useInstitution } from "../ui/useInstitution";
import type { Customer } from "./customer";
import { CustomerActions } from "./CustomerActions";
import { CustomerDevices } from "./CustomerDevices";
import { CustomerEvents } from "./CustomerEvents";
import { CustomerLicenses } from "./CustomerLicenses";
import { CustomerOrders } from "./CustomerOrders";
import { CustomerOverview } from "./CustomerOverview";

const BACK = { to: "/customers", label: t`Customers` };

const IssueLink = ({ customer: { email } }: { customer: Customer }) => (
  <Button
    component={Link}
    to={`/licenses/new?issuedTo=${encodeURIComponent(email)}`}
    variant="contained"
    startIcon={<AddIcon />}
  >
    {t`Issue license`}
  </Button>
);

function CustomerView({ customer }: { customer: Customer }) {
  const { manage } = useCan(customer.institutionId);
  const { institutionId } = useInstitution();
  return (
    <Page
      title={customer.name}
      subtitle={customer.name === customer.email ? undefined : customer.email}
      help="customers"
      back={BACK}
      actions={
        manage && (
          <>
            {customer.institutionId === institutionId && <IssueLink customer={customer} />}
            <CustomerActions customer={customer} />
          </>
        )
      }
    >
      <RouteTabs
        base={`/customers/${customer.id}`}
        label={t`Customer`}
        tabs={[
          { path: "", label: t`Overview`, element: <CustomerOverview customer={customer} /> },
          {
            path: "licenses",
            label: t`Licenses`,
            element: <CustomerLicenses customer={customer} />,
          },
          { path: "orders", label: t`Orders`, element: <CustomerOrders customer={customer} /> },
          { path: "devices", label: t`Devices`, element: <CustomerDevices customer={customer} /> },
          { path: "events", label: t`Events`, element: <CustomerEvents customer={customer} /> },
        ]}
      />
    </Page>
  );
}

/** A customer, with their licenses, devices and events. */
export default function CustomerPage() {
  const { customerId = "" } = useParams();
  const { data, error, refetch } = $api.useQuery("get", "/api/customers/{customerId}", {
    params: { path: { customerId } },
  });
  if (data) return <CustomerView key={customerId} customer={data} />;
  return (
    <Page title={t`Customer`} help="customers" back={BACK}>
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
    </Page>
  );
}
