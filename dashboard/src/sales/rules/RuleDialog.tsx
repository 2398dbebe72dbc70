import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import MenuItem from "@mui/material/MenuItem";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { FormField } from "../../ui/Form";
import { FormDialog } from "../../ui/FormDialog";
import { isSameMatch, type SaleMatch, type SaleRule } from "./rule";
import { draftOf, useWorkedOut, type RuleDraft } from "./ruleDraft";
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
  const [draft, setDraft] = useState(() => draftOf(changed, sold));
  const set = (change: Partial<RuleDraft>) => {
    setDraft((now) => ({ ...now, ...change }));
  };
  const worked = useWorkedOut(draft, institutionId);
  const { rule } = worked;
  const match = { product: draft.product.trim() || null, price: draft.price.trim() || null };
  const isTaken = others.some((other) => isSameMatch(other.match, match));
  const isForAll = match.product === null && match.price === null;
  return (
    <FormDialog
      title={changed ? t`Change rule` : t`Create rule`}
      action={changed ? t`Save` : t`Create rule`}
      disabled={rule === null || isTaken}
      onSubmit={async () => {
        if (rule) await onSave(rule);
      }}
      onClose={onClose}
    >
      <Typography>{t`When somebody buys this in the shop:`}</Typography>
      <FormField
        name="product"
        label={t`Product in the shop`}
        value={draft.product}
        onValue={(product) => {
          set({ product });
        }}
        slotProps={{ htmlInput: { maxLength: 255, spellCheck: false } }}
        helperText={t`Its ID or name, as the shop has it. Empty: any product.`}
      />
      <FormField
        name="price"
        label={t`Price in the shop`}
        value={draft.price}
        onValue={(price) => {
          set({ price });
        }}
        slotProps={{ htmlInput: { maxLength: 255, spellCheck: false } }}
        helperText={t`Its ID or name, as the shop has it. Empty: any price.`}
      />
      {isTaken && (
        <Alert severity="error">
          {t`This connector has a rule for the same product and price already, and one of the two would never count. Change that rule instead.`}
        </Alert>
      )}
      {isForAll && !isTaken && (
        <Alert severity="info">{t`This rule is for everything that no other rule is for.`}</Alert>
      )}
      <FormField
        name="gives"
        select
        label={t`They get`}
        value={draft.givesLicense ? "license" : "nothing"}
        onValue={(gives) => {
          set({ givesLicense: gives === "license" });
        }}
        {...(!draft.givesLicense && { helperText: t`Such as for a support fee or a T-shirt.` })}
      >
        <MenuItem value="license">{t`A license under a policy`}</MenuItem>
        <MenuItem value="nothing">{t`No license`}</MenuItem>
      </FormField>
      {draft.givesLicense && <RuleLicense worked={worked} set={set} />}
      <Typography variant="body2" color="textSecondary">
        {t`Orders that wait are worked on at once. Licenses that exist change with the next event about their order, such as a renewal.`}
      </Typography>
    </FormDialog>
  );
}
