import { t } from "@lingui/core/macro";
import { Section } from "../../ui/Section";
import type { Connector } from "../connector";
import { RuleEditor } from "./RuleEditor";
import { useConnectorActions } from "./useConnectorActions";

/** The rules of a connector. */
export function RulesTab({ connector }: { connector: Connector }) {
  const { addRule, change } = useConnectorActions(connector);
  return (
    <Section
      title={t`Rules`}
      help="connectors"
      subtitle={t`Which license somebody gets who buys something. The most precise rule counts, in the order below: one for a price before one for a product, and one for both before that.`}
    >
      <RuleEditor
        institutionId={connector.institutionId}
        rules={connector.rules}
        onAdd={addRule}
        onRules={(rules, done) => change({ rules }, done)}
      />
    </Section>
  );
}
