import { t } from "@lingui/core/macro";
import { useParams } from "react-router";
import { $api, at } from "../api/client";
import { AddLink } from "../ui/AddButton";
import { PersonEmblem } from "../ui/Emblem";
import { Page } from "../ui/Page";
import { ProblemAlert } from "../ui/ProblemAlert";
import { SkeletonRows } from "../ui/SkeletonRows";
import { RouteTabs } from "../ui/RouteTabs";
import { useCan, useFollowed, useInstitution } from "../ui/useInstitution";
import { useVisited } from "../ui/visited";
import type { Customer } from "./customer";
import { CustomerActions } from "./CustomerActions";
import { CustomerDesk } from "./desk/CustomerDesk";
import { CustomerEvents } from "./desk/CustomerEvents";
import { MailLink } from "./desk/CustomerFacts";
import { useCustomerKeys } from "./useCustomerKeys";

const BACK = { to: "/customers", label: t`Customers` };

const IssueLink = ({ customer: { email } }: { customer: Customer }) => (
  <AddLink to={`/licenses/new?issuedTo=${encodeURIComponent(email)}`}>{t`Issue license`}</AddLink>
);

function CustomerView({ customer }: { customer: Customer }) {
  useFollowed(customer.institutionId);
  useVisited({
    key: customer.id,
    kind: "Customer",
    label: customer.name,
    detail: customer.email,
    to: `/customers/${customer.id}`,
  });
  const { manage } = useCan(customer.institutionId);
  const { institutionId } = useInstitution();
  const tabs = [
    { path: "", label: t`Overview`, element: <CustomerDesk customer={customer} /> },
    { path: "events", label: t`Events`, element: <CustomerEvents customer={customer} /> },
  ];
  useCustomerKeys(
    customer,
    manage,
    tabs.map(({ path }) => path),
  );
  return (
    <Page
      title={customer.name}
      picture={<PersonEmblem name={customer.name} size="large" />}
      subtitle={customer.name !== customer.email && <MailLink customer={customer} />}
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
      <RouteTabs base={`/customers/${customer.id}`} label={t`Customer`} tabs={tabs} />
    </Page>
  );
}

/** A customer, with their licenses, devices and events. */
export default function CustomerPage() {
  const { customerId = "" } = useParams();
  const { data, error, refetch } = $api.useQuery(
    "get",
    "/api/customers/{customerId}",
    at({ customerId }),
  );
  if (data) return <CustomerView key={customerId} customer={data} />;
  return (
    <Page title={t`Customer`} help="customers" back={BACK}>
      {error ? <ProblemAlert error={error} retry={() => void refetch()} /> : <SkeletonRows />}
    </Page>
  );
}
