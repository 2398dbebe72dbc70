import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import Stack from "@mui/material/Stack";
import { date } from "../ui/formats";
import { FormField } from "../ui/Form";

/** A number of days from now, a chosen day, or never. */
export type Expiry = "30" | "90" | "365" | "day" | "never";

const CHOICES: Record<Expiry, string> = {
  "30": t`In 30 days`,
  "90": t`In 90 days`,
  "365": t`In 1 year`,
  day: t`On a custom date`,
  never: t`Never`,
};

const DAY_MS = 86_400_000;

/** The instant at which a key expires; a chosen day counts in full. */
export function momentOf(expiry: Expiry, day: string, now: number): string | null {
  if (expiry === "never") return null;
  if (expiry !== "day") return new Date(now + Number(expiry) * DAY_MS).toISOString();
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date, 23, 59, 59).toISOString();
}

interface ExpiryFieldProps {
  expiry: Expiry;
  day: string;
  now: number;
  onExpiry: (expiry: Expiry) => void;
  onDay: (day: string) => void;
}

export function ExpiryField({ expiry, day, now, onExpiry, onDay }: ExpiryFieldProps) {
  const moment = expiry === "day" ? null : momentOf(expiry, day, now);
  const helperText = moment
    ? t`It stops working on ${{ day: date(moment) }}.`
    : expiry === "never"
      ? t`It works until it is revoked. A key that expires is safer.`
      : t`It works until the end of that day.`;
  return (
    <Stack direction={{ xs: "column", sm: "row" }} sx={{ gap: 2 }}>
      <FormField
        name={expiry === "day" ? "expiry" : "expirationDate"}
        label={t`Expires`}
        select
        value={expiry}
        helperText={helperText}
        onValue={(value) => {
          onExpiry(value as Expiry);
        }}
      >
        {Object.entries(CHOICES).map(([value, label]) => (
          <MenuItem key={value} value={value}>
            {label}
          </MenuItem>
        ))}
      </FormField>
      {expiry === "day" && (
        <FormField
          name="expirationDate"
          type="date"
          label={t`Date`}
          required
          value={day}
          onValue={onDay}
          slotProps={{ inputLabel: { shrink: true } }}
        />
      )}
    </Stack>
  );
}
