import { t } from "@lingui/core/macro";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import MenuItem from "@mui/material/MenuItem";
import { $api } from "../../api/client";
import { FormField } from "../../ui/form/FormField";
import { MODEL_TRAITS } from "../../ui/models";
import { Section } from "../../ui/Section";
import styles from "./issue.module.css";
import { isMailed, suggestedName } from "./issueDraft";
import type { IssueForm } from "./useIssueForm";

/** The names of the institutions that are associated with the product. */
export function useCustomerNames({ product }: Pick<IssueForm, "product">) {
  const { data } = $api.useQuery(
    "get",
    "/api/products/{productId}/associations",
    { params: { path: { productId: product?.id ?? "" }, query: { pageSize: 100 } } },
    { enabled: product?.accessType === "Associated" },
  );
  return (id: string) =>
    data?.items.find((item) => item.institutionId === id)?.institutionName ?? id;
}

/** The customer institution of a license for an Associated product. */
function CustomerInstitution({ form }: { form: IssueForm }) {
  const ids = form.product?.associatedInstitutionIds ?? [];
  const nameOf = useCustomerNames(form);
  return (
    <FormField
      {...form.field("customerInstitutionId")}
      select
      required
      label={t`Customer institution`}
      helperText={
        ids.length === 0
          ? t`No institution is associated with the product yet. Invite one under Associations on its page.`
          : t`The product is available to these institutions only.`
      }
    >
      {ids.map((id) => (
        <MenuItem key={id} value={id}>
          {nameOf(id)}
        </MenuItem>
      ))}
    </FormField>
  );
}

function nameHint({ draft, product }: IssueForm): string {
  if (draft.policyId) return t`Empty: named as the policy says.`;
  const name = suggestedName(draft, product);
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
        {product?.accessType === "Associated" && <CustomerInstitution form={form} />}
        <div>
          <FormField
            {...form.field("issuedTo")}
            label={t`Issued to`}
            autoFocus={isNext}
            required={isNeeded}
            helperText={t`The customer's email address. They find the license in the portal when they sign in with it.`}
            demand={{ maxLength: 254 }}
            input={{ inputMode: "email" }}
          />
          <FormControlLabel
            label={t`Send the license to this address by email`}
            className={styles.mailed}
            control={
              <Checkbox
                checked={isMailed(draft, isAutomatic)}
                disabled={!draft.issuedTo.trim()}
                onChange={(_, notify) => form.fill({ notify })}
              />
            }
          />
        </div>
        <FormField
          {...form.field("licenseName")}
          label={t`License name`}
          helperText={nameHint(form)}
          demand={{ maxLength: 200 }}
          input={{ dir: "auto" }}
        />
        <FormField
          {...form.field("issuer")}
          label={t`Issuer`}
          helperText={t`The seller, as shown to the customer.`}
        />
      </div>
    </Section>
  );
}
