import { useParams } from "react-router";
import { $api } from "../api/client";
import { Page } from "../ui/Page";
import { ProblemAlert } from "../ui/ProblemAlert";
import { RouteTabs } from "../ui/RouteTabs";
import { useCan } from "../ui/useInstitution";
import type { Customer } from "./customer";
import { CustomerActions } from "./CustomerActions";
import { CustomerDevices } from "./CustomerDevices";
import { CustomerEvents } from "./CustomerEvents";
import { CustomerLicenses } from "./CustomerLicenses";
import { CustomerOrders } from "./CustomerOrders";
import { CustomerOverview } from "./CustomerOverview";

const BACK = { to: "/customers", label: "Customers" };

function CustomerView({ customer }: { customer: Customer }) {
  const { manage } = useCan(customer.institutionId);
  return (
    <Page
      title={customer.name}
      subtitle={customer.name === customer.email ? undefined : customer.email}
      help="customers"
      back={BACK}
      actions={manage && <CustomerActions customer={customer} />}
    >
      <RouteTabs
        base={`/customers/${customer.id}`}
        label="Customer"
        tabs={[
          { path: "", label: "Overview", element: <CustomerOverview customer={customer} /> },
          {
            path: "licenses",
            label: "Licenses",
            element: <CustomerLicenses customer={customer} />,
          },
          { path: "orders", label: "Orders", element: <CustomerOrders customer={customer} /> },
          { path: "devices", label: "Devices", element: <CustomerDevices customer={customer} /> },
          { path: "events", label: "Events", element: <CustomerEvents customer={customer} /> },
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
    <Page title="Customer" help="customers" back={BACK}>
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
    </Page>
  );
}
