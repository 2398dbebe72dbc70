import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { $api, api } from "../../api/client";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { CONNECTOR, pathOf } from "../connector";
import { unmatchedIn, type Order } from "../order";
import { RuleDialog } from "../rules/RuleDialog";
import styles from "./orders.module.css";

interface MissingRuleProps {
  order: Order;
  /** Filled where it is the next step of the page. */
  variant?: "contained" | "outlined";
}

/** Creates the rule that an order waits for; then the order is worked on again. */
export function MissingRule({ order, variant = "outlined" }: MissingRuleProps) {
  const [isAsking, setAsking] = useState(false);
  const notifyChanged = useNotifyChanged();
  const params = pathOf(order.connectorId);
  const connector = $api.useQuery("get", CONNECTOR, { params }, { enabled: isAsking });
  const [sold = order.lines[0]] = unmatchedIn(order, connector.data?.rules ?? []);
  return (
    <>
      <Button
        size="small"
        variant={variant}
        className={styles.action}
        aria-label={t`Create rule for order ${{ order: order.externalId }}`}
        onClick={() => {
          setAsking(true);
          if (connector.isError) void connector.refetch();
        }}
      >
        {t`Create rule`}
      </Button>
      {isAsking && connector.data && (
        <RuleDialog
          institutionId={order.institutionId}
          {...(sold && { sold })}
          others={connector.data.rules}
          onSave={async (rule) => {
            await api.POST("/api/connectors/{connectorId}/rules", { params, body: rule });
            notifyChanged(t`Rule created. The orders that wait for it are worked on now.`);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
