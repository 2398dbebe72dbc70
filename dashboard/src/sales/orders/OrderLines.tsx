import { plural, t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { date } from "../../ui/formats";
import { Muted } from "../../ui/Muted";
import { lineWords, shopWords } from "../../ui/orders";
import { PageLink } from "../../ui/PageLink";
import { lengthText } from "../../ui/quantities";
import { Section } from "../../ui/Section";
import { StatusChip } from "../../ui/StatusChip";
import type { OrderDetails } from "../order";
import { isUndecided, LicenseActs } from "./LicenseActs";
import styles from "./orders.module.css";

type Line = OrderDetails["lines"][number];

type License = OrderDetails["licenses"][number];

/** Until when a license is valid; one that is revoked is not, whatever its date. */
function endOf({ status, expirationDate, termDays, termMonths }: License): string | null {
  if (status === "Revoked") return null;
  const term = lengthText(termDays, termMonths);
  if (term !== null) return t`${term} from the first use`;
  return expirationDate ? t`Expires ${{ day: date(expirationDate) }}` : t`Does not expire`;
}

/** What is said of an item below its name: what it is in the shop, and until when it is paid. */
function ItemNote({ line }: { line: Line }) {
  const { price, product, productId, periodEnd } = line;
  const inShop =
    productId !== null
      ? t`Sold as ${{ item: shopWords(line) }}`
      : price !== null && product !== null && t`Product ${product}`;
  const paid = periodEnd && t`Paid until ${{ day: date(periodEnd) }}`;
  return <Muted component="div">{[inShop, paid].filter(Boolean).join(" · ")}</Muted>;
}

interface ItemProps {
  name: ReactNode;
  note?: ReactNode;
  /** Whether something can be done with each license. */
  acts: boolean;
  licenses: readonly License[];
  /** What is said without a license. */
  none?: string;
}

/** An item, beside it the licenses that the buyer has for it. */
const Item = ({ name, note, acts, licenses, none }: ItemProps) => (
  <li className={styles.item}>
    <div>
      <b>{name}</b>
      {note}
    </div>
    {licenses.length === 0 ? (
      <Muted component="div">{none}</Muted>
    ) : (
      <ul aria-label={t`Licenses`}>
        {licenses.map((license) => (
          <li key={license.id} className={styles.license}>
            <PageLink to={`/licenses/${license.id}`}>{license.licenseName}</PageLink>
            <StatusChip status={license.status} />
            <Muted component="span">{endOf(license)}</Muted>
            {acts && <LicenseActs license={license} isNamed />}
          </li>
        ))}
      </ul>
    )}
  </li>
);

/** What was sold, how many, and the licenses that the buyer has for it. */
export function OrderLines({ order, manage }: { order: OrderDetails; manage: boolean }) {
  const { lines, licenses, licenseIds, status } = order;
  const shown = new Set(lines.flatMap((line) => line.licenseIds));
  const others = licenses.filter(({ id }) => !shown.has(id));
  const deleted = licenseIds.length - licenses.length;
  // What can be done with a single one stands above.
  const acts = manage && licenses.length > 1 && isUndecided(order);
  return (
    <Section title={t({ message: "Items", context: "sold" })}>
      {lines.length === 0 && t`No event has reported yet what was sold.`}
      {lines.length + others.length > 0 && (
        <ul className={styles.items} aria-label={t({ message: "Items", context: "sold" })}>
          {lines.map((line, place) => (
            <Item
              key={place}
              name={
                line.productId === null ? (
                  lineWords(line)
                ) : (
                  <PageLink to={`/products/${line.productId}/policies`}>{lineWords(line)}</PageLink>
                )
              }
              note={<ItemNote line={line} />}
              acts={acts}
              licenses={licenses.filter(({ id }) => line.licenseIds.includes(id))}
              none={
                line.policyId === null && status === "Unmatched" ? t`No license yet` : t`No license`
              }
            />
          ))}
          {others.length > 0 && (
            <Item name={t`No longer part of the order`} acts={acts} licenses={others} />
          )}
        </ul>
      )}
      {deleted > 0 &&
        plural(deleted, { one: "# license was deleted.", other: "# licenses were deleted." })}
    </Section>
  );
}
