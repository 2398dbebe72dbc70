import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { api, at } from "../../api/client";
import { Row } from "../../ui/layout/layout";
import { useAct } from "../../ui/useAct";
import type { Period } from "./reports";
import styles from "./orders.module.css";

const LAST: readonly (readonly [Period, string])[] = [
  ["Day", t`Yesterday`],
  ["Week", t`Last week`],
  ["Month", t`Last month`],
];

/** Mails a report to the person who asks, so that they see what others receive. */
export function SendNow({ institutionId }: { institutionId: string }) {
  const { busy, act } = useAct();
  const [period, setPeriod] = useState<Period>("Month");
  const send = () =>
    act(t`The report is on its way to you.`, () =>
      api.POST("/api/institutions/{institutionId}/order-reports/send", {
        ...at({ institutionId }),
        body: { period },
      }),
    );
  return (
    <Row gap="s" className={styles.sendNow}>
      <TextField
        select
        value={period}
        onChange={(event) => setPeriod(event.target.value as Period)}
        slotProps={{ select: { inputProps: { "aria-label": t`Period to send now` } } }}
      >
        {LAST.map(([value, label]) => (
          <MenuItem key={value} value={value}>
            {label}
          </MenuItem>
        ))}
      </TextField>
      <Button disabled={busy} onClick={() => void send()}>{t`Send to me now`}</Button>
    </Row>
  );
}
