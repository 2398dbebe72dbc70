import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import { useWatch } from "react-hook-form";
import { date } from "../ui/formats";
import { FormField } from "../ui/form/FormField";
import type { ApiForm } from "../ui/form/useApiForm";
import { Row } from "../ui/layout/layout";
import type { KeyDraft } from "./draft";
import { EXPIRIES, momentOf, type Expiry } from "./expiry";

function hintOf(expiry: Expiry, now: number): string {
  if (expiry === "day") return t`It works until the end of that day.`;
  const moment = momentOf(expiry, "", now);
  return moment
    ? t`It stops working on ${{ day: date(moment) }}.`
    : t`It works until it is revoked. A key that expires is safer.`;
}

interface ExpiryFieldProps {
  form: ApiForm<KeyDraft>;
  now: number;
}

export function ExpiryField({ form: { control, field }, now }: ExpiryFieldProps) {
  const expiry = useWatch({ control, name: "expiry" });
  return (
    <Row gap="l" align="stretch" folds>
      <FormField {...field("expiry")} label={t`Expires`} select helperText={hintOf(expiry, now)}>
        {Object.entries(EXPIRIES).map(([value, label]) => (
          <MenuItem key={value} value={value}>
            {label}
          </MenuItem>
        ))}
      </FormField>
      {expiry === "day" && (
        <FormField {...field("expirationDate")} type="date" label={t`Date`} required />
      )}
    </Row>
  );
}
