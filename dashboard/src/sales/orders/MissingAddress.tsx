import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import DialogContentText from "@mui/material/DialogContentText";
import { useState } from "react";
import { OrderChange } from "../../api/checks";
import { api, at } from "../../api/client";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import type { Order } from "../order";
import styles from "./orders.module.css";

/** Asks for the address that an order waits for; then the order is processed. */
export function MissingAddress({ order }: { order: Order }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        size="small"
        variant="contained"
        className={styles.action}
        onClick={() => setAsking(true)}
      >
        {t`Enter address`}
      </Button>
      {isAsking && <AskAddress order={order} onClose={() => setAsking(false)} />}
    </>
  );
}

interface AskAddressProps {
  order: Order;
  onClose: () => void;
}

function AskAddress({ order: { id }, onClose }: AskAddressProps) {
  const form = useApiForm({
    values: { email: "" },
    checks: OrderChange,
    send: ({ email }) =>
      api.PUT("/api/orders/{orderId}", { ...at({ orderId: id }), body: { email } }),
    done: t`Address saved. The order is being processed.`,
  });
  return (
    <FormDialog form={form} title={t`Enter address`} action={t`Save address`} onClose={onClose}>
      <DialogContentText>
        {t`The licenses of the order are issued to this address and sent to it. If the shop names another one later, they move there.`}
      </DialogContentText>
      <FormField
        {...form.field("email")}
        type="email"
        label={t`Email address`}
        required
        autoFocus
      />
    </FormDialog>
  );
}
