import Link from "@mui/material/Link";
import MenuItem from "@mui/material/MenuItem";
import { Link as RouterLink } from "react-router";
import { FormField } from "../../ui/Form";
import { MODEL_LABELS } from "../../ui/labels";
import { termsOf } from "../../ui/policyTerms";
import { ProductPicker } from "../../ui/ProductPicker";
import { QUANTITY_WORDS, type SaleRule } from "./rule";
import type { RuleDraft, WorkedOut } from "./ruleDraft";

interface RuleLicenseProps {
  worked: WorkedOut;
  set: (change: Partial<RuleDraft>) => void;
}

/** The license that a rule gives: under which policy, and what several become. */
export function RuleLicense({ worked, set }: RuleLicenseProps) {
  const { productId, policies, policy, quantityAs } = worked;
  return (
    <>
      <ProductPicker
        label="Licensed product"
        required
        value={productId}
        onChange={(chosen) => {
          set({ productId: chosen, policyId: null });
        }}
      />
      {policies?.length === 0 && productId && (
        <span>
          This product has no policies yet. <PoliciesLink productId={productId} /> first: a policy
          is the plan that a license is issued under.
        </span>
      )}
      {policies && policies.length > 0 && (
        <FormField
          name="policyId"
          select
          label="Policy"
          required
          value={policy?.id ?? ""}
          onValue={(policyId) => {
            set({ productId, policyId, quantityAs: null });
          }}
          helperText={
            policy
              ? `${MODEL_LABELS[policy.type]}, ${termsOf(policy)}`
              : "The plan that the license is issued under."
          }
        >
          {policies.map(({ id, name }) => (
            <MenuItem key={id} value={id}>
              {name}
            </MenuItem>
          ))}
        </FormField>
      )}
      {quantityAs && (
        <FormField
          name="quantityAs"
          select
          label="If they buy several"
          value={quantityAs}
          onValue={(chosen) => {
            set({ quantityAs: chosen as SaleRule["quantityAs"] });
          }}
        >
          {(["Licenses", "Seats"] as const).map((meaning) => (
            <MenuItem key={meaning} value={meaning}>
              They get {QUANTITY_WORDS[meaning]}
            </MenuItem>
          ))}
        </FormField>
      )}
    </>
  );
}

const PoliciesLink = ({ productId }: { productId: string }) => (
  <Link component={RouterLink} to={`/products/${productId}/policies`}>
    Add a policy
  </Link>
);
