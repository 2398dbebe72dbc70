import { t } from "@lingui/core/macro";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import { FormField } from "../../ui/form/FormField";
import { MODEL_TRAITS } from "../../ui/models";
import { Section } from "../../ui/Section";
import { CustomerInstitutionField } from "../fields";
import styles from "./issue.module.css";
import { countOf, isMailed, suggestedName } from "./issueDraft";
import { ReceiverField } from "./ReceiverField";
import type { IssueForm } from "./useIssueForm";

function nameHint({ draft, customerName }: IssueForm): string {
  if (draft.policyId) return t`Empty: named as the policy says.`;
  const name = suggestedName(draft, customerName);
  return name
    ? t`Empty: “${name}”.`
    : t`For your own reference, for example customer and order number.`;
}

interface CustomerSectionProps {
  form: IssueForm;
  /** Whether the page begins here. */
  isNext: boolean;
}

/** Who gets the license, and what it is called. */
export function CustomerSection({ form, isNext }: CustomerSectionProps) {
  const { draft, product, isAutomatic } = form;
  const isNeeded = draft.type !== null && MODEL_TRAITS[draft.type].issuedToRequired;
  return (
    <Section title={t`Customer`}>
      <div className={styles.fields}>
        <CustomerInstitutionField {...form.field("customerInstitutionId")} product={product} />
        <div>
          <ReceiverField form={form} required={isNeeded} autoFocus={isNext} />
          <FormControlLabel
            label={t`Send the license to this address by email`}
            className={styles.mailed}
            control={
              <Checkbox
                checked={isMailed(draft, isAutomatic)}
                disabled={!draft.issuedTo.trim() || countOf(draft) !== 1}
                onChange={(_, notify) => form.fill({ notify })}
              />
            }
          />
        </div>
        <FormField
          {...form.field("licenseName")}
          helperText={nameHint(form)}
          demand={{ maxLength: 200 }}
          input={{ dir: "auto" }}
        />
      </div>
    </Section>
  );
}
