import { plural, t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { date, number } from "../../ui/formats";
import { Muted } from "../../ui/Muted";
import { lineWords, paidText } from "../../ui/orders";
import { PageLink } from "../../ui/PageLink";
import { lengthText } from "../../ui/quantities";
import { Section } from "../../ui/Section";
import { StatusChip } from "../../ui/StatusChip";
import type { OrderDetails } from "../order";
import { PolicyName } from "../rules/RuleList";
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

/** What is said of an item beside its name: its product in the shop, and the policy it is sold under. */
const ItemNote = ({ line: { price, product, policyId, periodEnd } }: { line: Line }) => (
  <Muted component="div">
    {price !== null && product !== null && <>{t`Product ${product}`} · </>}
    {policyId && <PolicyName policyId={policyId} />}
    {periodEnd && <> · {t`Paid until ${{ day: date(periodEnd) }}`}</>}
  </Muted>
);

interface RowsProps {
  /** The cell of the item, which stands beside all of its licenses. */
  item: ReactNode;
  quantity: number | null;
  licenses: readonly License[];
  /** What is said without a license. */
  none: string;
}

/** An item, with a row for each of its licenses. */
const Rows = ({ item, quantity, licenses, none }: RowsProps) =>
  (licenses.length > 0 ? licenses : [null]).map((license, place) => (
    <tr key={license?.id ?? "none"}>
      {place === 0 && (
        <>
          <th scope="rowgroup" rowSpan={Math.max(1, licenses.length)}>
            {item}
          </th>
          <td rowSpan={Math.max(1, licenses.length)} data-align="end">
            {quantity !== null && number(quantity)}
          </td>
        </>
      )}
      <td>
        {license ? (
          <PageLink to={`/licenses/${license.id}`}>{license.licenseName}</PageLink>
        ) : (
          <Muted component="span">{none}</Muted>
        )}
      </td>
      <td>
        {license && <StatusChip status={license.status} />}
        {license && <Muted component="div">{endOf(license)}</Muted>}
      </td>
    </tr>
  ));

/** What was sold, how many, what was paid, and the licenses that the buyer has for it. */
export function OrderLines({ order }: { order: OrderDetails }) {
  const { lines, licenses, licenseIds, status } = order;
  const shown = new Set(lines.flatMap((line) => line.licenseIds));
  const others = licenses.filter(({ id }) => !shown.has(id));
  const deleted = licenseIds.length - licenses.length;
  const paid = paidText(order);
  return (
    <Section title={t`What was sold`}>
      {lines.length === 0 && t`No event has reported yet what was sold.`}
      {lines.length + others.length > 0 && (
        <table className={styles.lines} aria-label={t`What was sold`}>
          <thead>
            <tr>
              <th scope="col">{t`Item`}</th>
              <th scope="col" data-align="end">{t`Quantity`}</th>
              <th scope="col">{t`License`}</th>
              <th scope="col">{t`Status`}</th>
            </tr>
          </thead>
          {lines.map((line, place) => (
            <tbody key={place}>
              <Rows
                item={
                  <>
                    {lineWords({ ...line, quantity: 1 })}
                    <ItemNote line={line} />
                  </>
                }
                quantity={line.quantity}
                licenses={licenses.filter(({ id }) => line.licenseIds.includes(id))}
                none={
                  line.policyId === null && status === "Unmatched"
                    ? t`No license yet`
                    : t`No license`
                }
              />
            </tbody>
          ))}
          {others.length > 0 && (
            <tbody>
              <Rows
                item={t`No longer part of the order`}
                quantity={null}
                licenses={others}
                none=""
              />
            </tbody>
          )}
          {paid && (
            <tfoot>
              <tr>
                <th scope="row">{t`Paid`}</th>
                <td data-align="end">{paid}</td>
                <td colSpan={2} />
              </tr>
            </tfoot>
          )}
        </table>
      )}
      {deleted > 0 &&
        plural(deleted, { one: "# license was deleted.", other: "# licenses were deleted." })}
    </Section>
  );
}
