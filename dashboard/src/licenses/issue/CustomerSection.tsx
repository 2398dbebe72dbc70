import { t } from "@lingui/core/macro";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import TextField from "@mui/material/TextField";
import { FormField } from "../../ui/form/FormField";
import { MODEL_TRAITS } from "../../ui/models";
import { Section } from "../../ui/Section";
import { CustomerInstitutionField } from "../fields";
import styles from "./issue.module.css";
import { countOf, isMailed, suggestedName } from "./issueDraft";
import { ReceiverField } from "./ReceiverField";
import { givenName } from "./useCustomers";
import type { IssueForm } from "./useIssueForm";

function nameHint({ draft, customerName }: IssueForm): string {
  if (draft.policyId) return t`Empty: named as the policy says.`;
  const name = suggestedName(draft, customerName);
  return name ? t`Empty: “${name}”.` : t`Your customer sees it in the portal.`;
}

interface NewCustomerFieldProps {
  form: IssueForm;
  name: "customerName" | "company";
  label: string;
  longest: number;
}

/** What a new customer is called; of a known one it is shown, and their own page changes it. */
function NewCustomerField({ form, name, label, longest }: NewCustomerFieldProps) {
  const { customer } = form;
  if (customer)
    return (
      <TextField
        fullWidth
        disabled
        label={label}
        value={(name === "company" ? customer.company : givenName(customer)) ?? ""}
        helperText={t`Change it on their page.`}
        slotProps={{ htmlInput: { dir: "auto" } }}
      />
    );
  return (
    <FormField
      {...form.field(name)}
      label={label}
      helperText={t`Of a new customer. Optional.`}
      demand={{ maxLength: longest }}
      input={{ dir: "auto" }}
    />
  );
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
        <NewCustomerField form={form} name="customerName" label={t`Customer name`} longest={200} />
        <NewCustomerField form={form} name="company" label={t`Company`} longest={500} />
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
