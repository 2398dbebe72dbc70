import { plural, t } from "@lingui/core/macro";
import { PersonEmblem } from "../../ui/Emblem";
import { date, dateTime, money, relative, isNear } from "../../ui/formats";
import { Row } from "../../ui/layout/layout";
import { Muted } from "../../ui/Muted";
import { PageLink } from "../../ui/PageLink";
import type { Column } from "../../ui/table/Row";
import { TwoLines } from "../../ui/table/cells";
import { TagChips } from "../../ui/tags/TagChips";
import type { Listed } from "./customerBulk";
import styles from "./customerList.module.css";

export const pathOf = ({ id }: Pick<Listed, "id">) => `/customers/${id}`;

/** How many licenses of each status, in words: "2 active" and "1 suspended". */
function licensesOf(customer: Listed): string[] {
  const { activeLicenses, suspendedLicenses, expiredLicenses, revokedLicenses } = customer;
  return [
    activeLicenses > 0 && plural(activeLicenses, { one: "# active", other: "# active" }),
    suspendedLicenses > 0 &&
      plural(suspendedLicenses, { one: "# suspended", other: "# suspended" }),
    expiredLicenses > 0 && plural(expiredLicenses, { one: "# expired", other: "# expired" }),
    revokedLicenses > 0 && plural(revokedLicenses, { one: "# revoked", other: "# revoked" }),
  ].filter((words) => words !== false);
}

function Licenses({ customer }: { customer: Listed }) {
  const [first, ...others] = licensesOf(customer);
  if (first === undefined) return <Muted component="span">{t`No licenses`}</Muted>;
  return (
    <div className={styles.lines}>
      <span>{first}</span>
      {others.length > 0 && <span className={styles.second}>{others.join(", ")}</span>}
    </div>
  );
}

/** When the first active license ends, marked if that is near. */
function NextEnd({ customer: { nextEnd } }: { customer: Listed }) {
  if (nextEnd === null) return null;
  return (
    <div className={styles.lines} title={dateTime(nextEnd)}>
      <span>{date(nextEnd)}</span>
      <span className={styles.second} data-tone={isNear(nextEnd) ? "wait" : undefined}>
        {relative(nextEnd)}
      </span>
    </div>
  );
}

type Paid = NonNullable<Listed["paid"]>;

/** What was paid in each currency and not paid back. */
function PaidAmounts({ paid }: { paid: Paid }) {
  const refunds = paid
    .filter(({ refunded }) => refunded > 0)
    .map(({ refunded, currency }) => t`Refunded ${{ amount: money(refunded, currency) }}`);
  const [first, ...others] = paid.map(({ net, currency }) => money(net, currency));
  return (
    <div className={styles.lines} {...(refunds.length > 0 && { title: refunds.join("\n") })}>
      <span>{first}</span>
      {others.length > 0 && <span className={styles.second}>{others.join(", ")}</span>}
    </div>
  );
}

export const COLUMNS: readonly Column<Listed>[] = [
  {
    key: "name",
    label: t`Name`,
    sort: true,
    cell: (customer) => (
      <Row gap="m">
        <PersonEmblem name={customer.name} size="medium" />
        <TwoLines second={customer.name !== customer.email && customer.email}>
          <PageLink to={pathOf(customer)}>{customer.name}</PageLink>
        </TwoLines>
      </Row>
    ),
  },
  {
    key: "company",
    label: t`Company`,
    width: 150,
    isRare: true,
    short: "plain",
    cell: ({ company }) => company !== null && <span dir="auto">{company}</span>,
  },
  { key: "externalReference", label: t`Reference`, width: 120, from: "lg", isRare: true },
  {
    key: "licenseCount",
    label: t`Licenses`,
    width: 150,
    short: "plain",
    cell: (customer) => <Licenses customer={customer} />,
  },
  {
    key: "nextEnd",
    label: t`Next end`,
    width: 112,
    fits: true,
    isRare: true,
    cell: (customer) => customer.nextEnd !== null && <NextEnd customer={customer} />,
  },
  {
    key: "paid",
    label: t`Paid`,
    width: 112,
    align: "end",
    fits: true,
    isRare: true,
    cell: ({ paid }) => paid !== null && paid.length > 0 && <PaidAmounts paid={paid} />,
  },
  { key: "lastSeenAt", label: t`Last seen`, width: 132, fits: true, isRare: true, as: "ago" },
  {
    key: "tags",
    label: t`Tags`,
    width: 140,
    isRare: true,
    short: "plain",
    cell: ({ tags }) => tags.length > 0 && <TagChips tags={tags} most={2} />,
  },
  {
    key: "createdAt",
    label: t`Created`,
    width: 118,
    sort: true,
    from: "lg",
    short: "left out",
    fits: true,
    as: "date",
  },
];
