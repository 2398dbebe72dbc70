import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Link from "@mui/material/Link";
import MenuItem from "@mui/material/MenuItem";
import { Link as RouterLink } from "react-router";
import { FormField } from "../../ui/Form";
import { MODEL_LABELS } from "../../ui/labels";
import { termsOf } from "../../ui/policyTerms";
import { ProductPicker } from "../../ui/ProductPicker";
import type { SaleRule } from "./rule";
import type { RuleDraft, WorkedOut } from "./ruleDraft";

interface RuleLicenseProps {
  worked: WorkedOut;
  set: (change: Partial<RuleDraft>) => void;
}

type QuantityAs = SaleRule["quantityAs"];

const QUANTITY_CHOICES: Record<QuantityAs, string> = {
  Licenses: t`They get a license for each`,
  Seats: t`They get one license, with a seat for each`,
};

/** The license that a rule gives: under which policy, and what several become. */
export function RuleLicense({ worked, set }: RuleLicenseProps) {
  const { productId, policies, policy, quantityAs } = worked;
  return (
    <>
      <ProductPicker
        label={t`Licensed product`}
        required
        value={productId}
        onChange={(chosen) => {
          set({ productId: chosen, policyId: null });
        }}
      />
      {policies?.length === 0 && productId && (
        <span>
          <Trans>
            This product has no policies yet.{" "}
            <Link component={RouterLink} to={`/products/${productId}/policies`}>
              Add a policy
            </Link>{" "}
            first: a policy is the plan that a license is issued under.
          </Trans>
        </span>
      )}
      {policies && policies.length > 0 && (
        <FormField
          name="policyId"
          select
          label={t`Policy`}
          required
          value={policy?.id ?? ""}
          onValue={(policyId) => {
            set({ productId, policyId, quantityAs: null });
          }}
          helperText={
            policy
              ? `${MODEL_LABELS[policy.type]}, ${termsOf(policy)}`
              : t`The plan that the license is issued under.`
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
          label={t`If they buy several`}
          value={quantityAs}
          onValue={(chosen) => {
            set({ quantityAs: chosen as QuantityAs });
          }}
        >
          {(["Licenses", "Seats"] as const).map((meaning) => (
            <MenuItem key={meaning} value={meaning}>
              {QUANTITY_CHOICES[meaning]}
            </MenuItem>
          ))}
        </FormField>
      )}
    </>
  );
}
