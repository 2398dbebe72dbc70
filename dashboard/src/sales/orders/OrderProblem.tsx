import Alert from "@mui/material/Alert";
import { lineWords } from "../../ui/orders";
import { isDue, type OrderDetails } from "../order";
import { MissingRule } from "./MissingRule";
import { NextAttempt } from "./OrderState";

interface OrderProblemProps {
  order: OrderDetails;
  manage: boolean;
}

/** Why an order has no licenses, or not all, and what helps. */
export function OrderProblem({ order, manage }: OrderProblemProps) {
  if (isDue(order))
    return (
      <Alert severity="info" role="status">
        Being worked on…
      </Alert>
    );
  if (order.status === "Unmatched")
    return (
      <Alert
        severity="warning"
        sx={{ alignItems: "center" }}
        action={manage && <MissingRule order={order} variant="contained" />}
      >
        No rule says what somebody gets who buys <Unmatched order={order} />.
        {!manage && " An Owner or Admin can create it."}
      </Alert>
    );
  if (order.problem === null) return null;
  return (
    <Alert severity="warning">
      {order.problem} <NextAttempt order={order} />.
    </Alert>
  );
}

/** What has no policy; some of it may be meant to have none. */
function Unmatched({ order: { lines } }: { order: OrderDetails }) {
  const open = lines.filter(({ policyId }) => policyId === null);
  return new Intl.ListFormat("en").format(
    (open.length > 0 ? open : lines).map((line) => lineWords({ ...line, quantity: 1 })),
  );
}
