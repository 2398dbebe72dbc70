import { t } from "@lingui/core/macro";
import CardContent from "@mui/material/CardContent";
import Link from "@mui/material/Link";
import type { ReactNode } from "react";
import { useParams } from "react-router";
import { $api, at } from "../api/client";
import type { License, Schemas } from "../api/types";
import { AddLink } from "../ui/AddButton";
import { DeviceBar } from "../ui/devices/DeviceBar";
import { DeviceStatus } from "../ui/devices/DeviceStatus";
import { type Device, nameOf, useDeviceActions } from "../ui/devices/deviceActions";
import { DescriptionList } from "../ui/DescriptionList";
import { PersonEmblem, ProductEmblem } from "../ui/Emblem";
import { EmptyState } from "../ui/EmptyState";
import { date, dateTime, languageName, number, relative } from "../ui/formats";
import { MODEL_LABELS } from "../ui/labels";
import { Row, WithAside } from "../ui/layout/layout";
import { eventsOf, type LicenseEvent } from "../ui/licenseEvents";
import { LicenseMenu } from "../ui/LicenseMenu";
import { DataList } from "../ui/list/DataList";
import { SearchFilter } from "../ui/list/SearchFilter";
import { useListContext } from "../ui/list/useList";
import { Markdown } from "../ui/Markdown";
import { MODEL_TRAITS } from "../ui/models";
import { paidText, refundedText, soldWords, statusOf } from "../ui/orders";
import { Page } from "../ui/Page";
import { Muted } from "../ui/Muted";
import { PageLink } from "../ui/PageLink";
import { ProblemAlert } from "../ui/ProblemAlert";
import { SkeletonRows } from "../ui/SkeletonRows";
import { amountText } from "../ui/quantities";
import { RouteTabs } from "../ui/RouteTabs";
import { Section } from "../ui/Section";
import { actionsColumn, TwoLines } from "../ui/table/cells";
import { RowMenu } from "../ui/table/RowMenu";
import { StatusChip } from "../ui/StatusChip";
import { LicenseChip } from "../ui/license/LicenseChip";
import { TagChips } from "../ui/tags/TagChips";
import { Table } from "../ui/table/Table";
import { Timeline } from "../ui/Timeline";
import { useCan, useFollowed, useInstitution } from "../ui/useInstitution";
import { useVisited } from "../ui/visited";
import { useMemberNames } from "../ui/useMemberNames";
import type { Customer } from "./customer";
import { CustomerActions } from "./CustomerActions";
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
      {error ? (
        <ProblemAlert error={error} retry={() => void refetch()} />
      ) : (
        <SkeletonRows />
      )}
    </Page>
  );
}

interface CustomerProps {
  customer: Customer;
}

/** All that support needs of a customer at once. */
function CustomerDesk({ customer }: CustomerProps) {
  const { manage } = useCan(customer.institutionId);
  return (
    <WithAside
      aside={
        <>
          <CustomerFacts customer={customer} />
          {customer.notes && (
            <Section title={t`Notes`} subtitle={t`For your team only; customers cannot see them.`}>
              <Markdown>{customer.notes}</Markdown>
            </Section>
          )}
          {manage && <CustomerEmails customer={customer} />}
        </>
      }
    >
      <CustomerLicenses customer={customer} manage={manage} />
      <CustomerOrders customer={customer} />
      {manage && <CustomerDevices customer={customer} />}
    </WithAside>
  );
}

const MailLink = ({ customer: { email } }: CustomerProps) => (
  <Link href={`mailto:${email}`}>{email}</Link>
);

/** Who the customer is, beyond what the head of the page says. */
const CustomerFacts = ({ customer }: CustomerProps) => {
  const { company, externalReference, locale, tags, metadata } = customer;
  const facts: (readonly [name: string, value: ReactNode] | false)[] = [
    customer.name === customer.email && [t`Email address`, <MailLink key="" customer={customer} />],
    company !== null && [t`Company`, company],
    externalReference !== null && [t`Reference`, externalReference],
    locale !== null && [t`Language`, languageName(locale)],
    tags.length > 0 && [t`Tags`, <TagChips key="" tags={tags} />],
    [t`Created`, dateTime(customer.createdAt)],
    dateTime(customer.updatedAt) !== dateTime(customer.createdAt) && [
      t`Last updated`,
      dateTime(customer.updatedAt),
    ],
    ...Object.entries(metadata),
  ];
  return (
    <Section title={t`Customer`}>
      <DescriptionList facts={facts.filter((fact) => fact !== false)} />
    </Section>
  );
};

/** What the lists on the page have in common. */
const PART = { inUrl: false, sort: "-createdAt", pageSize: 10 } as const;

const licensePath = ({ id }: License) => `/licenses/${id}`;

/** Seats in use, or the balance. */
function useOf({
  type,
  meterBalance,
  seatsUsed,
  maxActiveUsersCount: seats,
}: License): string | null {
  const { meter } = MODEL_TRAITS[type];
  if (meterBalance !== null && meter !== null) return amountText(meterBalance, meter);
  if (seats === null) return null;
  return t`${{ used: number(seatsUsed ?? 0) }} of ${{ seats: number(seats) }}`;
}

/** The licenses of the customer. */
const CustomerLicenses = ({ customer, manage }: CustomerProps & { manage: boolean }) => (
  <DataList
    part={t`Licenses`}
    path="licenses"
    fixed={{ customerId: customer.id }}
    {...PART}
    hasCsv
    empty={
      <EmptyState title={t`No licenses`}>
        {t`Licenses that are issued to ${{ email: customer.email }} appear here.`}
      </EmptyState>
    }
  >
    <Table<License>
      label={t`Licenses`}
      link={licensePath}
      columns={[
        {
          key: "licenseName",
          label: t`License`,
          sort: true,
          cell: (license) => (
            <Row gap="m">
              <ProductEmblem name={license.productName} size="medium" />
              <TwoLines second={`${license.productName} · ${MODEL_LABELS[license.type]}`}>
                <PageLink to={licensePath(license)} dir="auto">
                  {license.licenseName}
                </PageLink>
              </TwoLines>
            </Row>
          ),
        },
        {
          key: "status",
          label: t`Status`,
          short: "first",
          cell: (license) => <LicenseChip license={license} />,
        },
        { key: "seatsUsed", label: t`Usage`, fits: true, cell: useOf },
        {
          key: "expirationDate",
          label: t`Expires`,
          sort: true,
          fits: true,
          cell: ({ expirationDate: end }) =>
            end ? (
              <span title={dateTime(end)}>
                {date(end)} <Muted component="span">{relative(end)}</Muted>
              </span>
            ) : (
              t`Never`
            ),
        },
        manage && actionsColumn((license: License) => <LicenseMenu license={license} />),
      ]}
    />
  </DataList>
);

/** The devices of all licenses of the customer. */
const CustomerDevices = ({ customer }: CustomerProps) => (
  <DataList
    part={t`Devices`}
    path={`customers/${customer.id}/activations`}
    filterNames={["search"]}
    {...PART}
    hasCsv
    nameOf={nameOf}
    bar={<DeviceBar />}
    toolbar={<SearchFilter placeholder={t`Name or hardware ID`} label={t`Search devices`} />}
  >
    <DeviceTable />
  </DataList>
);

function DeviceTable() {
  const actions = useDeviceActions();
  const { selection } = useListContext<Device>();
  return (
    <>
      <Table<Device>
        {...(selection && { selection })}
        label={t`Devices`}
        columns={[
          {
            key: "deviceName",
            label: t`Device`,
            cell: (device) => (
              <TwoLines second={device.os}>
                <PageLink to={`/licenses/${device.licenseId}/activations`}>
                  {nameOf(device)}
                </PageLink>
              </TwoLines>
            ),
          },
          {
            key: "status",
            label: t`Status`,
            short: "beside",
            cell: (device) => <DeviceStatus device={device} />,
          },
          { key: "lastSeenAt", label: t`Last seen`, sort: true, fits: true, as: "ago" },
          actionsColumn((device) => <RowMenu name={nameOf(device)} acts={actions.of(device)} />),
        ]}
      />
      {actions.dialog}
    </>
  );
}

type Mail = Schemas["LicenseMail"];

const MAIL_WORDS: Record<Mail["kind"], string> = {
  Issued: t`License issued`,
  Renewed: t`License renewed`,
  Expiring: t`License expiring`,
  Revoked: t`License revoked`,
};

/** What was emailed to the customer about licenses. */
const CustomerEmails = ({ customer }: CustomerProps) => (
  <DataList
    part={t`Emails`}
    path="license-mails"
    fixed={{ institutionId: customer.institutionId, recipient: customer.email }}
    {...PART}
  >
    <Table<Mail>
      label={t`Emails`}
      columns={[
        {
          key: "kind",
          label: t`Email`,
          cell: ({ kind, licenseId, error }) => (
            <TwoLines second={error}>
              <PageLink to={`/licenses/${licenseId}`}>{MAIL_WORDS[kind]}</PageLink>
            </TwoLines>
          ),
        },
        { key: "status", label: t`Status`, as: "status" },
        { key: "createdAt", label: t`Created`, sort: true, fits: true, as: "ago" },
      ]}
    />
  </DataList>
);

type Order = Schemas["Order"];

const orderPath = ({ id }: Order) => `/orders/${id}`;

/** What the customer has bought in shops that are connected. */
const CustomerOrders = ({ customer }: CustomerProps) => (
  <DataList part={t`Orders`} path="orders" fixed={{ customerId: customer.id }} {...PART} hasCsv>
    <Table<Order>
      label={t`Orders`}
      link={orderPath}
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
        {
          key: "status",
          label: t`Status`,
          cell: (order) => <StatusChip status={statusOf(order)} />,
        },
        {
          key: "amount",
          label: t`Amount`,
          align: "end",
          fits: true,
          cell: (order) => (
            <TwoLines second={refundedText(order) ?? (order.testMode && t`Test mode`)}>
              {paidText(order)}
            </TwoLines>
          ),
        },
        { key: "createdAt", label: t`Created`, sort: true, fits: true, as: "ago" },
      ]}
    />
  </DataList>
);

/** What happened to the customer and their licenses, newest first. */
const CustomerEvents = ({ customer }: { customer: Customer }) => (
  <DataList path={`customers/${customer.id}/events`} sort="-occurredAt">
    <CustomerTimeline customer={customer} />
  </DataList>
);

const licenseOf = ({ subjectId, data: { licenseId } }: LicenseEvent): string =>
  typeof licenseId === "string" ? licenseId : subjectId;

function CustomerTimeline({ customer: { id, institutionId } }: CustomerProps) {
  const { items } = useListContext<LicenseEvent>();
  const nameOf = useMemberNames(institutionId);
  const { data } = $api.useQuery("get", "/api/licenses", {
    params: { query: { customerId: id, pageSize: 100 } },
  });
  const names = new Map(data?.items.map((license) => [license.id, license.licenseName]));
  const events = items?.flatMap((item) =>
    eventsOf([item], nameOf).map((event) => {
      const name = names.get(licenseOf(item));
      if (name === undefined) return event;
      const subject = [name, event.subject].filter(Boolean).join(" · ");
      return { ...event, subject, to: `/licenses/${licenseOf(item)}` };
    }),
  );
  if (items?.length === 0)
    return (
      <EmptyState title={t`No events yet`}>{t`Sales and use of licenses appear here.`}</EmptyState>
    );
  return (
    <CardContent>
      <Timeline events={events} />
    </CardContent>
  );
}
