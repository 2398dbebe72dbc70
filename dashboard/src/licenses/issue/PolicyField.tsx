import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import { $api } from "../../api/client";
import { FormField } from "../../ui/form/FormField";
import { termsOf } from "../../ui/policyTerms";
import { draftUnder } from "./issueDraft";
import type { IssueForm } from "./useIssueForm";

/** The policies of a product. */
export function usePolicies(productId: string | null) {
  const { data } = $api.useQuery(
    "get",
    "/api/policies",
    { params: { query: { productId: productId ?? "", pageSize: 100, sort: "name" } } },
    { enabled: productId !== null },
  );
  return data?.items ?? [];
}

/** The policy that the license is issued under; it fills in the terms. */
export function PolicyField({ form }: { form: IssueForm }) {
  const policies = usePolicies(form.draft.productId);
  const chosen = policies.find(({ id }) => id === form.draft.policyId);
  if (policies.length === 0) return null;
  return (
    <FormField
      {...form.field("policyId")}
      select
      label={t`Policy`}
      helperText={chosen ? termsOf(chosen) : t`A policy fills in the model and the terms.`}
      slotProps={{ select: { displayEmpty: true } }}
      onValue={(policyId) => {
        const policy = policies.find(({ id }) => id === policyId);
        form.fill(policy ? draftUnder(policy) : { policyTerm: "" });
      }}
    >
      <MenuItem value="">{t`None`}</MenuItem>
      {policies.map(({ id, name }) => (
        <MenuItem key={id} value={id}>
          {name}
        </MenuItem>
      ))}
    </FormField>
  );
}
