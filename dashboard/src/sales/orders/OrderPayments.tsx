import { t } from "@lingui/core/macro";
import { dateTime, money } from "../../ui/formats";
import { Section } from "../../ui/Section";
import type { OrderDetails } from "../order";
import styles from "./orders.module.css";

type Payment = OrderDetails["payments"][number];

/** What moved: a sale, the same again, money back, or money back that did not arrive. */
function wordsOf({ kind, amount }: Payment): string {
  if (kind === "Refund") return amount < 0 ? t`Refund failed` : t`Refund`;
  return kind === "Renewal" ? t`Renewal` : t`Sale`;
}

/** Each payment and each refund, when the shop says that it was, and what is left of them. */
export function OrderPayments({ order }: { order: OrderDetails }) {
  const { payments, amount, refundedAmount, currency } = order;
  if (payments.length === 0) return null;
  const isSum = payments.length > 1 && amount !== null && currency !== null;
  return (
    <Section title={t`Payments`}>
      <table className={styles.lines} aria-label={t`Payments`}>
        <thead>
          <tr>
            <th scope="col">{t`Date`}</th>
            <th scope="col">{t`What`}</th>
            <th scope="col" className={styles.amount}>{t`Amount`}</th>
          </tr>
        </thead>
        <tbody>
          {payments.map((payment, place) => (
            <tr key={place}>
              <td>{dateTime(payment.happenedAt)}</td>
              <td>{wordsOf(payment)}</td>
              <td className={styles.amount}>
                {money(
                  payment.kind === "Refund" ? -payment.amount : payment.amount,
                  payment.currency,
                )}
              </td>
            </tr>
          ))}
        </tbody>
        {isSum && (
          <tfoot>
            <tr>
              <th scope="row" colSpan={2}>
                {refundedAmount ? t`Net` : t`Paid in all`}
              </th>
              <td className={styles.amount}>{money(amount - (refundedAmount ?? 0), currency)}</td>
            </tr>
          </tfoot>
        )}
      </table>
    </Section>
  );
}
