import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { keepPreviousData } from "@tanstack/react-query";
import { $api } from "../../api/client";
import { money } from "../../ui/formats";
import { WarningIcon } from "../../ui/icons";
import { useListContext } from "../../ui/list/useList";
import { ORDERS, type OrderStatus, spanOf } from "../order";
import styles from "./orders.module.css";

const COUNTED_EVERY_MS = 15_000;

/** Above the orders, if any match: what they brought in, and how many lack a license. Its place is kept. */
export function OrderSummary({ institutionId }: { institutionId: string }) {
  const { items } = useListContext();
  if (items?.length === 0) return null;
  return (
    <div className={styles.summary}>
      <Sums institutionId={institutionId} />
      <Problems institutionId={institutionId} />
    </div>
  );
}

/** What was paid for all orders that match the filters, in their period, in each currency. */
function Sums({ institutionId }: { institutionId: string }) {
  const { filters } = useListContext();
  const { status, hasProblem, testMode, disputed, onlyProduct, ...others } = filters;
  const { from, to } = spanOf(filters);
  const query = {
    ...others,
    institutionId,
    ...(status && { status: status as OrderStatus }),
    ...(hasProblem && { hasProblem: hasProblem === "true" }),
    ...(disputed && { disputed: disputed === "true" }),
    ...(testMode && { testMode: testMode === "true" }),
    ...(onlyProduct && { onlyProduct: onlyProduct === "true" }),
    from: from ?? null,
    to: to ?? null,
  };
  const { data } = $api.useQuery(
    "get",
    "/api/orders/sums",
    { params: { query } },
    { placeholderData: keepPreviousData, refetchInterval: COUNTED_EVERY_MS },
  );
  const sums = data?.sums ?? [];
  const count = sums.reduce((total, { orders }) => total + orders, 0);
  if (sums.length === 0) return null;
  const refunds = sums.filter(({ refunded }) => refunded > 0);
  return (
    <p role="status" className={styles.sums}>
      {testMode === "true"
        ? plural(count, { one: "# paid test order:", other: "# paid test orders:" })
        : plural(count, { one: "# paid order:", other: "# paid orders:" })}{" "}
      <strong>{sums.map(({ net, currency }) => money(net, currency)).join(" + ")}</strong>{" "}
      {refunds.length === 0
        ? t({ message: "net", context: "after an amount" })
        : t`net, after refunds of ${{
            amounts: refunds.map(({ refunded, currency }) => money(refunded, currency)).join(" + "),
          }}`}
    </p>
  );
}

/** How many orders lack a license, unless the list shows just them. */
function Problems({ institutionId }: { institutionId: string }) {
  const { filters, setFilters } = useListContext();
  const query = { institutionId, hasProblem: true, testMode: false, pageSize: 1 };
  const { data } = $api.useQuery(
    "get",
    ORDERS,
    { params: { query } },
    { refetchInterval: ({ state }) => (state.error ? false : COUNTED_EVERY_MS) },
  );
  const count = data?.totalCount ?? 0;
  if (count === 0 || filters["hasProblem"] === "true") return null;
  return (
    <div role="alert" className={styles.problems}>
      <WarningIcon aria-hidden />
      <span>
        {plural({ count }, { one: "# order lacks a license", other: "# orders lack licenses" })}
      </span>
      <Button
        size="small"
        className={styles.action}
        onClick={() => setFilters({ hasProblem: "true", testMode: "false" })}
      >
        {t`Show`}
      </Button>
    </div>
  );
}
