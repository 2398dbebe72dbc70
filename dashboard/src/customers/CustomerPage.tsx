import { t } from "@lingui/core/macro";
import CardContent from "@mui/material/CardContent";
import Link from "@mui/material/Link";
import { useParams } from "react-router";
import { $api, at } from "../api/client";
import type { License, Schemas } from "../api/types";
import { AddLink } from "../ui/AddButton";
import { DescriptionList } from "../ui/DescriptionList";
import { EmptyState } from "../ui/EmptyState";
import { date, dateTime, number } from "../ui/formats";
import { MODEL_LABELS } from "../ui/labels";
import { Column } from "../ui/layout/layout";
import { eventsOf, type LicenseEvent } from "../ui/licenseEvents";
import { DataList } from "../ui/list/DataList";
import { useListContext } from "../ui/list/useList";
import { Markdown } from "../ui/Markdown";
import { soldWords } from "../ui/orders";
import { Page } from "../ui/Page";
import { PageLink } from "../ui/PageLink";
import { ProblemAlert } from "../ui/ProblemAlert";
import { RouteTabs } from "../ui/RouteTabs";
import { Section } from "../ui/Section";
import { TwoLines } from "../ui/table/cells";
import { TagChips } from "../ui/tags/TagChips";
import { Table } from "../ui/table/Table";
import { Timeline } from "../ui/Timeline";
import { useCan, useInstitution } from "../ui/useInstitution";
import type { Customer } from "./customer";
import { CustomerActions } from "./CustomerActions";

const BACK = { to: "/customers", label: t`Customers` };

const IssueLink = ({ customer: { email } }: { customer: Customer }) => (
  <AddLink to={`/licenses/new?issuedTo=${encodeURIComponent(email)}`}>{t`Issue license`}</AddLink>
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
  const { data, error, refetch } = $api.useQuery(
    "get",
    "/api/customers/{customerId}",
    at({ customerId }),
  );
  if (data) return <CustomerView key={customerId} customer={data} />;
  return (
    <Page title={t`Customer`} help="customers" back={BACK}>
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
    </Page>
  );
}

/** Who the customer is. */
const CustomerOverview = ({ customer }: { customer: Customer }) => (
  <Column gap="l">
    <Section title={t`Customer`}>
      <DescriptionList
        facts={[
          [
            t`Email address`,
            <Link key="" href={`mailto:${customer.email}`}>
              {customer.email}
            </Link>,
          ],
          [t`Company`, customer.company],
          [t`Reference`, customer.externalReference],
          [t`Language`, customer.locale],
          [
            t`Licenses`,
            <PageLink key="" to={`/customers/${customer.id}/licenses`}>
              {number(customer.licenseCount)}
            </PageLink>,
          ],
          ...(customer.tags.length > 0
            ? [[t`Tags`, <TagChips key="" tags={customer.tags} />] as const]
            : []),
          [t`Created`, dateTime(customer.createdAt)],
          [t`Last updated`, dateTime(customer.updatedAt)],
          ...Object.entries(customer.metadata).map(([name, value]) => [name, value] as const),
        ]}
      />
    </Section>
    {customer.notes && (
      <Section title={t`Notes`} subtitle={t`For your team only; customers cannot see them.`}>
        <Markdown>{customer.notes}</Markdown>
      </Section>
    )}
  </Column>
);

const licensePath = ({ id }: License) => `/licenses/${id}`;

/** The licenses of the customer. */
const CustomerLicenses = ({ customer }: { customer: Customer }) => (
  <DataList path="licenses" fixed={{ customerId: customer.id }} sort="-createdAt">
    <Table<License>
      label={t`Licenses`}
      link={licensePath}
      none={
        <EmptyState title={t`No licenses`}>
          {t`Licenses that are issued to ${{ email: customer.email }} appear here.`}
        </EmptyState>
      }
      columns={[
        {
          key: "licenseName",
          label: t`License`,
          sort: true,
          cell: (license) => (
            <TwoLines second={license.productName}>
              <PageLink to={licensePath(license)} dir="auto">
                {license.licenseName}
              </PageLink>
            </TwoLines>
          ),
        },
        { key: "type", label: t`Model`, sort: true, cell: ({ type }) => MODEL_LABELS[type] },
        { key: "status", label: t`Status`, as: "status" },
        { key: "meterBalance", label: t`Balance`, align: "end", from: "md", as: "number" },
        {
          key: "expirationDate",
          label: t`Expires`,
          sort: true,
          from: "md",
          cell: ({ expirationDate }) => (expirationDate ? date(expirationDate) : t`Never`),
        },
      ]}
    />
  </DataList>
);

type Device = Schemas["ListedActivation"];

/** The devices of all licenses of the customer. */
const CustomerDevices = ({ customer }: { customer: Customer }) => (
  <DataList path={`customers/${customer.id}/activations`} sort="-createdAt">
    <Table<Device>
      label={t`Devices`}
      none={
        <EmptyState title={t`No devices`}>{t`Machines that use a license appear here.`}</EmptyState>
      }
      columns={[
        {
          key: "deviceName",
          label: t`Device`,
          cell: ({ deviceName, os, licenseId }) => (
            <TwoLines second={os}>
              <PageLink to={`/licenses/${licenseId}/activations`}>
                {deviceName ?? t`Unnamed device`}
              </PageLink>
            </TwoLines>
          ),
        },
        { key: "status", label: t`Status`, as: "status" },
        { key: "lastSeenAt", label: t`Last seen`, from: "md", as: "ago" },
      ]}
    />
  </DataList>
);

type Order = Schemas["Order"];

const orderPath = ({ id }: Order) => `/orders/${id}`;

/** What the customer has bought in shops that are connected. */
const CustomerOrders = ({ customer }: { customer: Customer }) => (
  <DataList path="orders" fixed={{ customerId: customer.id }} sort="-createdAt">
    <Table<Order>
      label={t`Orders`}
      link={orderPath}
      none={
        <EmptyState title={t`No orders`}>
          {t`Orders of ${{ customer: customer.name }} in connected shops appear here.`}
        </EmptyState>
      }
      columns={[
        {
          key: "externalId",
          label: t`Order`,
          cell: (order) => (
            <TwoLines second={soldWords(order)}>
              <PageLink to={orderPath(order)}>{order.externalId}</PageLink>
            </TwoLines>
          ),
        },
        { key: "status", label: t`Status`, as: "status" },
        {
          key: "licenseIds",
          label: t`Licenses`,
          align: "end",
          cell: ({ licenseIds }) => number(licenseIds.length),
        },
        { key: "connectorName", label: t`Shop`, from: "md" },
        { key: "createdAt", label: t`Created`, sort: true, from: "md", as: "ago" },
      ]}
    />
  </DataList>
);

/** What happened to the customer and their licenses, newest first. */
const CustomerEvents = ({ customer }: { customer: Customer }) => (
  <DataList path={`customers/${customer.id}/events`} sort="-occurredAt">
    <CustomerTimeline />
  </DataList>
);

function CustomerTimeline() {
  const { items } = useListContext<LicenseEvent>();
  if (items?.length === 0)
    return (
      <EmptyState title={t`No events yet`}>{t`Sales and use of licenses appear here.`}</EmptyState>
    );
  return (
    <CardContent>
      <Timeline events={items && eventsOf(items)} />
    </CardContent>
  );
}
