import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import { list } from "../../ui/formats";
import { lineWords } from "../../ui/orders";
import { RelativeTime } from "../../ui/RelativeTime";
import { isDue, type OrderDetails } from "../order";
import { MissingRule } from "./MissingRule";
import styles from "./orders.module.css";

interface OrderProblemProps {
  order: OrderDetails;
  manage: boolean;
}

/** Why an order has no licenses, or not all, and what helps. */
export function OrderProblem({ order, manage }: OrderProblemProps) {
  if (isDue(order))
    return (
      <Alert severity="info" role="status">
        {t`Processing…`}
      </Alert>
    );
  if (order.status === "Unmatched")
    return (
      <Alert
        severity="warning"
        className={styles.problem}
        action={manage && <MissingRule order={order} variant="contained" />}
      >
        {t`No rule matches ${{ sold: unmatchedOf(order) }} yet, so this order has no license.`}
        {!manage && <> {t`An Owner or Admin can create it.`}</>}
      </Alert>
    );
  if (order.problem === null) return null;
  return (
    <Alert severity="warning">
      {order.problem}{" "}
      {order.nextAttemptAt ? (
        <Trans>
          Next attempt <RelativeTime at={order.nextAttemptAt} />.
        </Trans>
      ) : (
        t`Waits for the shop.`
      )}
    </Alert>
  );
}

/** What has no policy; some of it may be meant to have none. */
function unmatchedOf({ lines }: OrderDetails): string {
  const open = lines.filter(({ policyId }) => policyId === null);
  return list((open.length > 0 ? open : lines).map((line) => lineWords({ ...line, quantity: 1 })));
}
