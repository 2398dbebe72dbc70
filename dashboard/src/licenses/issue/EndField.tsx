import { t } from "@lingui/core/macro";
import Chip from "@mui/material/Chip";
import type { LicenseType } from "../../api/types";
import { FormField } from "../../ui/form/FormField";
import { dateTime } from "../../ui/formats";
import { Column, Row } from "../../ui/layout/layout";
import { MODEL_TRAITS } from "../../ui/models";
import { endOfDay, dayAfter } from "../../ui/days";
import type { IssueForm } from "./useIssueForm";

type Quick = readonly [label: string, from: { days?: number; months?: number } | null];

const TRIAL: Quick[] = [
  [t`14 days`, { days: 14 }],
  [t`30 days`, { days: 30 }],
  [t`60 days`, { days: 60 }],
];
const TERM: Quick[] = [
  [t`1 month`, { months: 1 }],
  [t`6 months`, { months: 6 }],
  [t`1 year`, { months: 12 }],
  [t`2 years`, { months: 24 }],
];
const OPTIONAL: Quick[] = [
  [t`No expiration`, null],
  [t`1 year`, { months: 12 }],
  [t`2 years`, { months: 24 }],
];

const quickFor = (type: LicenseType) =>
  type === "Trial" ? TRIAL : MODEL_TRAITS[type].expirationRequired ? TERM : OPTIONAL;

/** The expiration date, typed or chosen from presets. */
export function EndField({ form, type }: { form: IssueForm; type: LicenseType }) {
  const { policyTerm } = form.draft;
  const expirationRequired = MODEL_TRAITS[type].expirationRequired && !policyTerm;
  const day = form.draft.expirationDate;
  const end = endOfDay(day);
  return (
    <Column gap="s">
      <FormField
        {...form.field("expirationDate")}
        type="date"
        required={expirationRequired}
        helperText={
          end
            ? t`Expires on ${{ moment: dateTime(end) }}, at the end of the day in your time zone.`
            : policyTerm
              ? t`Empty: ${{ term: policyTerm }}, as the policy says.`
              : expirationRequired
                ? t`The last day the license is valid.`
                : t`Leave empty if the license does not expire.`
        }
        input={{ min: dayAfter({}) }}
      />
      <Row gap="s" wraps role="group" aria-label={t`Presets`}>
        {quickFor(type).map(([label, from]) => {
          const chosen = from ? dayAfter(from) : "";
          return (
            <Chip
              key={label}
              component="button"
              type="button"
              clickable
              label={label}
              aria-pressed={day === chosen}
              color={day === chosen ? "primary" : "default"}
              variant={day === chosen ? "filled" : "outlined"}
              onClick={() => form.fill({ expirationDate: chosen })}
            />
          );
        })}
      </Row>
    </Column>
  );
}
