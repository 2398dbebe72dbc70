import { plural } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { $api } from "../../api/client";
import { useListContext } from "../../ui/list/useList";
import { ORDERS } from "../order";
import styles from "./orders.module.css";

const REFRESHED_EVERY_MS = 15_000;

/** Says how many orders wait for a rule, unless the list shows just them. */
export function UnmatchedBanner({ institutionId }: { institutionId: string }) {
  const { filters, setFilters } = useListContext();
  const query = { institutionId, status: "Unmatched" as const, pageSize: 1 };
  const { data } = $api.useQuery(
    "get",
    ORDERS,
    { params: { query } },
    { refetchInterval: ({ state }) => (state.error ? false : REFRESHED_EVERY_MS) },
  );
  const count = data?.totalCount ?? 0;
  if (count === 0 || filters["status"] === "Unmatched") return null;
  return (
    <Alert
      severity="warning"
      className={styles.banner}
      action={
        <Button
          color="inherit"
          size="small"
          className={styles.action}
          onClick={() => setFilters({ status: "Unmatched" })}
        >
          {plural(count, { one: "Show it", other: "Show them" })}
        </Button>
      }
    >
      {plural(count, {
        one: "# order waits for a rule. Somebody has paid, and no rule says what they get.",
        other: "# orders wait for a rule. Somebody has paid, and no rule says what they get.",
      })}
    </Alert>
  );
}
