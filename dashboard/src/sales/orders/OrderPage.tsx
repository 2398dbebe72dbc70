import { t } from "@lingui/core/macro";
import { useParams } from "react-router";
import { $api } from "../../api/client";
import { Page } from "../../ui/Page";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { isDue } from "../order";
import { OrderView } from "./OrderView";

const BACK = { to: "/orders", label: t`Orders` };
const WHILE_DUE_MS = 1_500;
const OTHERWISE_MS = 15_000;

/** An order, which is followed while it is worked on. */
export default function OrderPage() {
  const { orderId = "" } = useParams();
  const { data, error, refetch } = $api.useQuery(
    "get",
    "/api/orders/{orderId}",
    { params: { path: { orderId } } },
    {
      refetchInterval: ({ state }) =>
        !state.error && (state.data && isDue(state.data) ? WHILE_DUE_MS : OTHERWISE_MS),
    },
  );
  if (data) return <OrderView key={orderId} order={data} />;
  return (
    <Page title={t`Order`} help="connectors" back={BACK}>
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
    </Page>
  );
}
