import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { termOf, termsOf } from "../../ui/policyTerms";
import type { Draft } from "./issueDraft";
import type { IssueForm } from "./useIssueForm";

type Policy = Schemas["Policy"];

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

const text = (value: number | null) => (value === null ? "" : String(value));

/** What the policy says, as input that can still be changed. */
export const draftUnder = (policy: Policy): Partial<Draft> => ({
  policyId: policy.id,
  type: policy.type,
  policyTerm: termOf(policy),
  expirationDate: "",
  maxActiveUsersCount: text(policy.maxActiveUsersCount),
  initialMeterBalance: text(policy.initialMeterBalance),
  deviceBindingMode: policy.deviceBindingMode ?? "AutoBind",
  activationMode: policy.activationMode ?? "Online",
  entitlementSetId: policy.entitlementSetId ?? "",
});

/** The policy that the license is issued under; it fills in the terms. */
export function PolicyField({ form }: { form: IssueForm }) {
  const policies = usePolicies(form.draft.productId);
  const chosen = policies.find(({ id }) => id === form.draft.policyId);
  const error = form.errors.policyId;
  if (policies.length === 0) return null;
  return (
    <TextField
      name="policyId"
      select
      fullWidth
      error={error !== undefined}
      label="Policy"
      value={chosen?.id ?? ""}
      helperText={
        error ?? (chosen ? termsOf(chosen) : "A policy fills in the model and the terms.")
      }
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
      onChange={(event) => {
        const policy = policies.find(({ id }) => id === event.target.value);
        form.set(policy ? draftUnder(policy) : { policyId: "", policyTerm: "" });
      }}
    >
      <MenuItem value="">None</MenuItem>
      {policies.map(({ id, name }) => (
        <MenuItem key={id} value={id}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}
