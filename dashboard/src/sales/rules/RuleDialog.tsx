import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { TextFieldProps } from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { type Control, useWatch } from "react-hook-form";
import { SaleRuleRequest } from "../../api/checks";
import { textOrNull } from "../../api/fields";
import type { Schemas } from "../../api/types";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { type ApiForm, type FieldProps, useApiForm } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { MODEL_LABELS } from "../../ui/labels";
import { MODEL_TRAITS } from "../../ui/models";
import { Muted } from "../../ui/Muted";
import { PageLink } from "../../ui/PageLink";
import { termsOf } from "../../ui/policyTerms";
import { ProductPicker } from "../../ui/ProductPicker";
import { useOnlyProduct, usePolicy } from "../../ui/useProduct";
import { isSameMatch, type SaleMatch, type SaleRule } from "./rule";
import { usePolicies } from "./RuleList";

interface RuleDialogProps {
  /** The rule to change; omit it to add one. */
  rule?: SaleRule;
  /** What a new rule is for. */
  sold?: SaleMatch;
  /** The other rules of the connector. */
  others: readonly SaleRule[];
  onSave: (rule: SaleRule) => Promise<unknown>;
  onClose: () => void;
}

/** Adds or changes a rule: when somebody buys this, they get that. */
export function RuleDialog(props: RuleDialogProps) {
  const { rule: changed, sold, others, onSave, onClose } = props;
  const form = useApiForm({
    values: draftOf(changed, sold),
    checks: SaleRuleRequest,
    validate: (draft) => faultsOf(draft, worked, others),
    send: async (draft) => {
      const rule = ruleOf(draft, worked);
      if (rule) await onSave(rule);
    },
  });
  const { control, field } = form;
  const worked = useWorkedOut(control);
  const [sale, gives] = useWatch({ control, name: ["match", "gives"] });
  const match = matchOf(sale);
  const isTaken = others.some((other) => isSameMatch(other.match, match));
  const isForAll = match.product === null && match.price === null;
  return (
    <FormDialog
      form={form}
      title={changed ? t`Change rule` : t`Create rule`}
      action={changed ? t`Save` : t`Create rule`}
      isLoading={gives === "license" && worked.isLoading}
      onClose={onClose}
    >
      <Typography>{t`When a customer buys this in the shop:`}</Typography>
      <FormField
        {...field("match.product")}
        label={t`Product in the shop`}
        input={{ spellCheck: false }}
        helperText={t`Its ID or name in the shop. Leave empty for any product.`}
      />
      <FormField
        {...field("match.price")}
        label={t`Price in the shop`}
        input={{ spellCheck: false }}
        helperText={t`Its ID or name in the shop. Leave empty for any price.`}
      />
      {isTaken && <Alert severity="warning">{TAKEN}</Alert>}
      {isForAll && !isTaken && (
        <Alert severity="info">{t`This rule applies to everything that no other rule covers.`}</Alert>
      )}
      <FormField
        {...field("gives")}
        label={t`The buyer gets`}
        {...(gives === "nothing" && { helperText: t`For example for a support fee or a T-shirt.` })}
        options={[
          ["license", t`A license`],
          ["nothing", t`No license`],
        ]}
      />
      {gives === "license" && (
        <RuleLicense form={form} worked={worked} isNext={!changed && sold !== undefined} />
      )}
      <Muted>
        {t`Waiting orders are processed immediately. Licenses that exist change when the shop next reports on their order, such as a renewal.`}
      </Muted>
    </FormDialog>
  );
}

const TAKEN = t`This connector already has a rule for the same product and price, and only one of the two could ever apply. Change that rule instead.`;

/** What is wrong or missing, by the names of the fields. */
function faultsOf(
  { match, gives }: RuleDraft,
  { productId, policies, policy }: WorkedOut,
  others: readonly SaleRule[],
): Record<string, string> {
  const isTaken = others.some((other) => isSameMatch(other.match, matchOf(match)));
  const isLicense = gives === "license" && !policy;
  const isHopeless = productId !== null && policies?.length === 0;
  return {
    ...(isTaken && { "match.product": t`Name another product or price.` }),
    ...(isLicense &&
      (productId === null || isHopeless) && { productId: t`Choose a product with a policy.` }),
    ...(isLicense && { policyId: t`Choose a policy.` }),
  };
}

interface RuleLicenseProps {
  form: ApiForm<RuleDraft>;
  worked: WorkedOut;
  /** Whether it is what is still to fill in, so that the focus begins there. */
  isNext: boolean;
}

type QuantityAs = SaleRule["quantityAs"];

const QUANTITY_CHOICES: Record<QuantityAs, string> = {
  Licenses: t`A license for each`,
  Seats: t`One license, with a seat for each`,
};

const DIRTY = { shouldDirty: true };

/** The license that a rule gives: under which policy, and what several become. */
function RuleLicense({ form, worked, isNext }: RuleLicenseProps) {
  const { productId, policies, policy, quantityAs } = worked;
  const { field, setValue } = form;
  const product = useField(field("productId"));
  return (
    <>
      <ProductPicker
        label={t`Licensed product`}
        autoFocus={isNext}
        required
        value={productId}
        error={product.message}
        onChange={(chosen) => {
          product.set(chosen ?? "");
          setValue("policyId", "", DIRTY);
        }}
      />
      {policies?.length === 0 && productId && (
        <span>
          <Trans>
            This product has no policies yet.{" "}
            <PageLink to={`/products/${productId}/policies`}>Add a policy</PageLink> first: a policy
            is the plan that a license is issued under.
          </Trans>
        </span>
      )}
      <FollowingField
        {...field("policyId")}
        label={t`Policy`}
        required
        // There from the start, so that nothing moves when a product is chosen.
        disabled={!policies || policies.length === 0}
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
        {(policies ?? []).map(({ id, name }) => (
          <MenuItem key={id} value={id}>
            {name}
          </MenuItem>
        ))}
      </FollowingField>
      <FormField
        {...field("renews")}
        select
        label={t`A payment renews`}
        helperText={t`For maintenance plans, choose Updates: a payment then extends updates, not the term.`}
      >
        <MenuItem value="Term">{t`The term of the license`}</MenuItem>
        <MenuItem value="Updates">{t`Its updates`}</MenuItem>
      </FormField>
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
  Pick<TextFieldProps, "label" | "required" | "disabled" | "helperText" | "children"> & {
    /** What is chosen, or else follows. */
    value: string;
    onValue?: () => void;
  };

/** A choice that shows what follows from the rest while nobody has chosen. */
function FollowingField(props: FollowingFieldProps) {
  const { name, control, check, rule, helperText, onValue, ...rest } = props;
  const { ref, set, message } = useField({ name, control, check, rule });
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

type Policy = Schemas["Policy"];

/** What the dialog holds; what is empty is not chosen yet, and follows from the rest. */
interface RuleDraft {
  match: { product: string; price: string };
  gives: "license" | "nothing";
  productId: string;
  policyId: string;
  quantityAs: SaleRule["quantityAs"] | "";
  renews: SaleRule["renews"];
}

const draftOf = (rule: SaleRule | undefined, sold: SaleMatch | undefined): RuleDraft => ({
  match: {
    product: (rule?.match ?? sold)?.product ?? "",
    price: (rule?.match ?? sold)?.price ?? "",
  },
  gives: rule !== undefined && rule.policyId === null ? "nothing" : "license",
  productId: "",
  policyId: rule?.policyId ?? "",
  quantityAs: rule?.quantityAs ?? "",
  renews: rule?.renews ?? "Term",
});

/** What follows from a draft: what there is to choose, and what is chosen. */
interface WorkedOut {
  productId: string | null;
  /** Undefined while loading. */
  policies: Policy[] | undefined;
  policy: Policy | undefined;
  /** What several become; null if the policy leaves no choice. */
  quantityAs: SaleRule["quantityAs"] | null;
  /** Whether that may still change because something is loading. */
  isLoading: boolean;
}

const matchOf = ({ product, price }: RuleDraft["match"]): SaleMatch => ({
  product: textOrNull(product),
  price: textOrNull(price),
});

/** The rule; null while a policy has to be chosen. */
function ruleOf({ match, gives, renews }: RuleDraft, worked: WorkedOut): SaleRule | null {
  const rule = { match: matchOf(match), quantityAs: "Licenses", renews } as const;
  if (gives === "nothing") return { ...rule, policyId: null, renews: "Term" };
  const { policy, quantityAs } = worked;
  return policy ? { ...rule, policyId: policy.id, quantityAs: quantityAs ?? "Licenses" } : null;
}

/** Seats are what is sold where the policy does not say how many a license has. */
const usualMeaning = (policy: Policy): SaleRule["quantityAs"] =>
  policy.maxActiveUsersCount === null ? "Seats" : "Licenses";

/** Works out a draft: the only product and the only policy are chosen by themselves. */
function useWorkedOut(control: Control<RuleDraft>): WorkedOut {
  const [productGiven, policyGiven, quantityGiven] = useWatch({
    control,
    name: ["productId", "policyId", "quantityAs"],
  });
  const stored = usePolicy(policyGiven || null);
  const only = useOnlyProduct(true);
  const productId = productGiven || (stored.data?.productId ?? only ?? null);
  const known = usePolicies(productId);
  const policies = known.data?.items;
  const chosen = policies?.find(({ id }) => id === policyGiven);
  const policy = chosen ?? (policies?.length === 1 ? policies[0] : undefined);
  const hasSeats = policy !== undefined && MODEL_TRAITS[policy.type].seats !== null;
  const quantityAs = hasSeats ? quantityGiven || usualMeaning(policy) : null;
  const isLoading = stored.isLoading || only === undefined || known.isLoading;
  return { productId, policies, policy, quantityAs, isLoading };
}
