import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Link from "@mui/material/Link";
import MenuItem from "@mui/material/MenuItem";
import TextField, { type TextFieldProps } from "@mui/material/TextField";
import { Link as RouterLink } from "react-router";
import type { ApiForm, FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { MODEL_LABELS } from "../../ui/labels";
import { termsOf } from "../../ui/policyTerms";
import { ProductPicker } from "../../ui/ProductPicker";
import type { SaleRule } from "./rule";
import type { RuleDraft, WorkedOut } from "./ruleDraft";

interface RuleLicenseProps {
  form: ApiForm<RuleDraft>;
  worked: WorkedOut;
}

type QuantityAs = SaleRule["quantityAs"];

const QUANTITY_CHOICES: Record<QuantityAs, string> = {
  Licenses: t`They get a license for each`,
  Seats: t`They get one license, with a seat for each`,
};

const DIRTY = { shouldDirty: true };

/** The license that a rule gives: under which policy, and what several become. */
export function RuleLicense({ form, worked }: RuleLicenseProps) {
  const { productId, policies, policy, quantityAs } = worked;
  const { field, setValue } = form;
  return (
    <>
      <ProductPicker
        label={t`Licensed product`}
        required
        value={productId}
        onChange={(chosen) => {
          setValue("productId", chosen ?? "", DIRTY);
          setValue("policyId", "", DIRTY);
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
        <FollowingField
          {...field("policyId")}
          label={t`Policy`}
          required
          value={policy?.id ?? ""}
          onValue={() => {
            setValue("productId", productId ?? "", DIRTY);
            setValue("quantityAs", "", DIRTY);
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
        </FollowingField>
      )}
      {quantityAs && (
        <FollowingField {...field("quantityAs")} label={t`If they buy several`} value={quantityAs}>
          {(["Licenses", "Seats"] as const).map((meaning) => (
            <MenuItem key={meaning} value={meaning}>
              {QUANTITY_CHOICES[meaning]}
            </MenuItem>
          ))}
        </FollowingField>
      )}
    </>
  );
}

type Following = "policyId" | "quantityAs";

type FollowingFieldProps = FieldProps<RuleDraft, Following> &
  Pick<TextFieldProps, "label" | "required" | "helperText" | "children"> & {
    /** What is chosen, or else follows. */
    value: string;
    onValue?: () => void;
  };

/** A choice that shows what follows from the rest while nobody has chosen. */
function FollowingField(props: FollowingFieldProps) {
  const { name, control, check, helperText, onValue, ...rest } = props;
  const { ref, set, message } = useField({ name, control, check });
  return (
    <TextField
      {...rest}
      select
      fullWidth
      name={name}
      inputRef={ref}
      error={message !== undefined}
      helperText={message ?? helperText}
      onChange={(event) => {
        set(event.target.value);
        onValue?.();
      }}
    />
  );
}
