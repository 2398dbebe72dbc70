import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { RelativeTime } from "../../ui/RelativeTime";
import { StatusChip } from "../../ui/StatusChip";
import { isDue, type Order } from "../order";

/** The status; what cannot be fulfilled waits for somebody. */
export const OrderChip = ({ order: { status, problem } }: { order: Order }) => (
  <StatusChip status={status} {...(problem !== null && { tone: "wait" as const })} />
);

/** When an order with a problem is tried again, in words. */
export function NextAttempt({ order }: { order: Order }) {
  if (isDue(order)) return t`Processing…`;
  if (order.nextAttemptAt)
    return (
      <Trans>
        Next attempt <RelativeTime at={order.nextAttemptAt} />
      </Trans>
    );
  return order.status === "Unmatched" ? t`Waits for a rule` : t`Waits for the shop`;
}
