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
      subtitle={t`Which license a buyer gets. The most specific rule applies, in the order below: rules for a product and a price first, then rules for a price, then rules for a product.`}
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
