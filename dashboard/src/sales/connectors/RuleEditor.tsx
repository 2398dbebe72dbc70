import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { AddIcon } from "../../ui/icons";
import { Column } from "../../ui/layout/layout";
import { Section } from "../../ui/Section";
import { useUrlParams } from "../../ui/useUrlParams";
import { type Connector, useConnectorActions } from "../connector";
import { isSameMatch, matchWords, type SaleRule } from "../rules/rule";
import { RuleDialog } from "../rules/RuleDialog";
import { RuleList } from "../rules/RuleList";

interface RuleEditorProps {
  rules: readonly SaleRule[];
  /** Adds a rule; without it, `onRules` gets them all. */
  onAdd?: (rule: SaleRule) => Promise<unknown>;
  onRules: (rules: SaleRule[], done: string) => Promise<unknown>;
}

interface Asked {
  what: "edit" | "delete";
  rule: SaleRule;
}

/** `?act=` of it opens the dialog. */
const ADD = "add";

/** Rules that are added, changed and removed. */
export function RuleEditor({ rules, onAdd, onRules }: RuleEditorProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { params, change } = useUrlParams();
  const close = () => setAsked(null);
  const without = (rule: SaleRule) => rules.filter(({ match }) => !isSameMatch(match, rule.match));
  return (
    <Column gap="m">
      {rules.length > 0 ? (
        <RuleList
          rules={rules}
          onEdit={(rule) => setAsked({ what: "edit", rule })}
          onDelete={(rule) => setAsked({ what: "delete", rule })}
        />
      ) : (
        <Typography color="textSecondary">
          {t`No rules yet. Orders wait on the Orders page until a rule matches them.`}
        </Typography>
      )}
      <div>
        <Button variant="outlined" startIcon={<AddIcon />} onClick={() => change({ act: ADD })}>
          {t`Add rule`}
        </Button>
      </div>
      {params.get("act") === ADD && (
        <RuleDialog
          onClose={() => change({ act: null }, true)}
          others={rules}
          onSave={onAdd ?? ((rule) => onRules([...rules, rule], t`Rule created.`))}
        />
      )}
      {asked?.what === "edit" && (
        <RuleDialog
          onClose={close}
          rule={asked.rule}
          others={without(asked.rule)}
          onSave={(rule) => onRules([...without(asked.rule), rule], t`Rule changed.`)}
        />
      )}
      {asked?.what === "delete" && (
        <ConfirmDialog
          title={t`Delete rule`}
          action={t`Delete rule`}
          danger
          consequence={t`Unless another rule matches “${{ sold: matchWords(asked.rule.match) }}”, its sales and renewals wait on the Orders page. Licenses do not change.`}
          onConfirm={() => onRules(without(asked.rule), t`Rule deleted.`)}
          onClose={close}
        />
      )}
    </Column>
  );
}

/** The rules of a connector. */
export function RulesTab({ connector }: { connector: Connector }) {
  const { addRule, change } = useConnectorActions(connector);
  return (
    <Section
      title={t`Rules`}
      help="connectors"
      subtitle={t`Which license a buyer gets. The most specific rule applies, in the order below: rules for a product and a price first, then rules for a price, then rules for a product.`}
    >
      <RuleEditor
        rules={connector.rules}
        onAdd={addRule}
        onRules={(rules, done) => change({ rules }, done)}
      />
    </Section>
  );
}
