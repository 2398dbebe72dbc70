import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import MenuItem from "@mui/material/MenuItem";
import Typography from "@mui/material/Typography";
import { useWatch } from "react-hook-form";
import { SaleRuleRequest } from "../../api/checks";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { isSameMatch, type SaleMatch, type SaleRule } from "./rule";
import { draftOf, matchOf, ruleOf, useWorkedOut } from "./ruleDraft";
import { RuleLicense } from "./RuleLicense";

interface RuleDialogProps {
  institutionId: string;
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
  const { institutionId, rule: changed, sold, others, onSave, onClose } = props;
  const form = useApiForm({
    values: draftOf(changed, sold),
    checks: SaleRuleRequest,
    send: async (draft) => {
      const rule = ruleOf(draft, worked);
      if (rule) await onSave(rule);
    },
  });
  const { control, field } = form;
  const worked = useWorkedOut(control, institutionId);
  const [sale, gives] = useWatch({ control, name: ["match", "gives"] });
  const match = matchOf(sale);
  const isTaken = others.some((other) => isSameMatch(other.match, match));
  const isForAll = match.product === null && match.price === null;
  const isChosen = gives === "nothing" || worked.policy !== undefined;
  return (
    <FormDialog
      form={form}
      title={changed ? t`Change rule` : t`Create rule`}
      action={changed ? t`Save` : t`Create rule`}
      disabled={!isChosen || isTaken}
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
      {isTaken && (
        <Alert severity="error">
          {t`This connector already has a rule for the same product and price, and only one of the two could ever apply. Change that rule instead.`}
        </Alert>
      )}
      {isForAll && !isTaken && (
        <Alert severity="info">{t`This rule applies to everything that no other rule covers.`}</Alert>
      )}
      <FormField
        {...field("gives")}
        select
        label={t`They get`}
        {...(gives === "nothing" && { helperText: t`For example for a support fee or a T-shirt.` })}
      >
        <MenuItem value="license">{t`A license under a policy`}</MenuItem>
        <MenuItem value="nothing">{t`No license`}</MenuItem>
      </FormField>
      {gives === "license" && <RuleLicense form={form} worked={worked} />}
      <Typography variant="body2" color="textSecondary">
        {t`Waiting orders are processed immediately. Existing licenses change with the next event of their order, such as a renewal.`}
      </Typography>
    </FormDialog>
  );
}
