import { t } from "@lingui/core/macro";
import type { License, Schemas } from "../../api/types";
import { DeviceBar } from "../../ui/devices/DeviceBar";
import { DeviceStatus } from "../../ui/devices/DeviceStatus";
import { type Device, nameOf, useDeviceActions } from "../../ui/devices/deviceActions";
import { ProductEmblem } from "../../ui/Emblem";
import { EmptyState } from "../../ui/EmptyState";
import { date, dateTime, number, relative } from "../../ui/formats";
import { MODEL_LABELS } from "../../ui/labels";
import { Row } from "../../ui/layout/layout";
import { LicenseChip } from "../../ui/license/LicenseChip";
import { LicenseMenu } from "../../ui/LicenseMenu";
import { DataList } from "../../ui/list/DataList";
import { SearchFilter } from "../../ui/list/SearchFilter";
import { useListContext } from "../../ui/list/useList";
import { MODEL_TRAITS } from "../../ui/models";
import { Muted } from "../../ui/Muted";
import { paidText, refundedText, soldWords, statusOf } from "../../ui/orders";
import { PageLink } from "../../ui/PageLink";
import { amountText } from "../../ui/quantities";
import { StatusChip } from "../../ui/StatusChip";
import { actionsColumn, TwoLines } from "../../ui/table/cells";
import { RowMenu } from "../../ui/table/RowMenu";
import { Table } from "../../ui/table/Table";
import type { Customer } from "../customer";

interface CustomerProps {
  customer: Customer;
}

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
export const CustomerLicenses = ({ customer, manage }: CustomerProps & { manage: boolean }) => (
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
              <ProductEmblem name={license.productName} />
              <PageLink to={licensePath(license)} dir="auto">
                {license.licenseName}
              </PageLink>
            </Row>
          ),
        },
        {
          key: "productName",
          label: t`Product`,
          from: "lg",
          short: "plain",
          cell: ({ productName, type }) => `${productName} · ${MODEL_LABELS[type]}`,
        },
        {
          key: "status",
          label: t`Status`,
          short: "first",
          fits: true,
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
export const CustomerDevices = ({ customer }: CustomerProps) => (
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

type Order = Schemas["Order"];

const orderPath = ({ id }: Order) => `/orders/${id}`;

/** What the customer has bought in shops that are connected. */
export const CustomerOrders = ({ customer }: CustomerProps) => (
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
          short: "beside",
          cell: (order) => <StatusChip status={statusOf(order)} />,
        },
        {
          key: "amount",
          label: t`Amount`,
          align: "end",
          fits: true,
          short: "beside",
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

type Mail = Schemas["LicenseMail"];

const MAIL_WORDS: Record<Mail["kind"], string> = {
  Issued: t`License issued`,
  Renewed: t`License renewed`,
  Expiring: t`License expiring`,
  Revoked: t`License revoked`,
};

/** What was emailed to the customer about licenses. */
export const CustomerEmails = ({ customer }: CustomerProps) => (
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
