import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import { api, at } from "../../api/client";
import type { Schemas } from "../../api/types";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { utcTime } from "../../ui/formats";

/** What a field for a time holds, `2027-01-31T09:30`, as an instant of UTC. */
const instantOf = (typed: string): string => new Date(`${typed}Z`).toISOString();

/** An instant as such a field holds it. */
const typedOf = (instant: Date): string => instant.toISOString().slice(0, 16);

const DAY_MS = 86_400_000;

interface SetUpDialogProps {
  productId: string;
  onClose: () => void;
}

/** Gives a Test product a clock, from the present or ahead of it. */
export function SetUpDialog({ productId, onClose }: SetUpDialogProps) {
  const form = useApiForm({
    values: { now: "" },
    send: ({ now }) =>
      api.POST("/api/test-clocks", {
        body: { productId, ...(now !== "" && { now: instantOf(now) }) },
      }),
    done: t`Test clock set up.`,
  });
  return (
    <FormDialog form={form} title={t`Set up test clock`} action={t`Set up`} onClose={onClose}>
      <Typography color="textSecondary">
        {t`From now on, licenses of this product start, remind and end by the clock. It stands still until you advance it, and never goes back.`}
      </Typography>
      <FormField
        {...form.field("now")}
        type="datetime-local"
        label={t`Start (UTC)`}
        helperText={t`Empty for the present.`}
        fault={(typed) =>
          typed !== "" && Date.parse(`${typed}Z`) < Date.now()
            ? t`Choose a time that is not over.`
            : undefined
        }
      />
    </FormDialog>
  );
}

interface AdvanceDialogProps {
  clock: Schemas["ProductClock"];
  onClose: () => void;
}

/** Moves a test clock to a time. */
export function AdvanceDialog({ clock, onClose }: AdvanceDialogProps) {
  const form = useApiForm({
    values: { to: typedOf(new Date(Date.parse(clock.now) + DAY_MS)) },
    send: ({ to }) =>
      api.POST("/api/test-clocks/{clockId}/advance", {
        ...at({ clockId: clock.id }),
        body: { to: instantOf(to) },
      }),
    done: t`The test clock is on its way.`,
  });
  return (
    <FormDialog form={form} title={t`Advance to a time`} action={t`Advance`} onClose={onClose}>
      <FormField
        {...form.field("to")}
        type="datetime-local"
        label={t`Time (UTC)`}
        required
        helperText={t`The clock stands at ${{ time: utcTime(clock.now) }}. Everything that is due on the way happens.`}
        fault={(typed) =>
          typed !== "" && Date.parse(`${typed}Z`) < Date.parse(clock.now)
            ? t`Choose a later time than that of the clock.`
            : undefined
        }
      />
    </FormDialog>
  );
}
