import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import type { License } from "../../api/types";
import { dayAfter, dayOrNull, faultOfPastDay } from "../../ui/days";
import { FormField } from "../../ui/form/FormField";
import type { ApiForm } from "../../ui/form/useApiForm";
import type { BulkGiven, BulkKind } from "./bulkActions";

/** What is filled in, for any of the actions; texts are as typed. */
export interface BulkDraft {
  reason: string;
  expirationDate: string;
}

export const newDraft = (): BulkDraft => ({
  reason: "",
  expirationDate: dayAfter({ months: 12 }),
});

interface BulkFieldsProps {
  form: ApiForm<BulkDraft>;
  licenses: License[];
}

interface Asked {
  Fields: (props: BulkFieldsProps) => ReactNode;
  /** What the request says then; null while something is missing. */
  given: (draft: BulkDraft) => BulkGiven | null;
}

const Extension = ({ form }: BulkFieldsProps) => (
  <FormField
    {...form.field("expirationDate")}
    type="date"
    label={t`Expiration date`}
    required
    fault={faultOfPastDay}
    input={{ min: dayAfter({}) }}
  />
);

/** What is asked for the actions that need more than the licenses. */
export const ASKED: Partial<Record<BulkKind, Asked>> = {
  extend: {
    Fields: Extension,
    given: ({ expirationDate }) => {
      const day = dayOrNull(expirationDate);
      return day === null ? null : { expirationDate: day };
    },
  },
};
