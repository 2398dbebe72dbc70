import { t } from "@lingui/core/macro";
import { Section } from "../../ui/Section";
import { FeatureValueFields } from "../FeatureValueFields";
import { EntitlementField } from "./EntitlementField";
import styles from "./issue.module.css";
import type { IssueForm } from "./useIssueForm";

/** The features of the license: those of an entitlement set, and values of its own. */
export function FeaturesSection({ form }: { form: IssueForm }) {
  const { draft, set, features, errors } = form;
  const refused = Object.entries(errors).find(([name]) => name.startsWith("featureValues"));
  return (
    <Section title={t`Features`} help="features-and-entitlements">
      <div className={styles.stack}>
        <div className={styles.fields}>
          <EntitlementField form={form} />
        </div>
        <FeatureValueFields
          features={features}
          pairs={draft.featureValues}
          error={refused?.[1]}
          onChange={(featureValues) => {
            set({ featureValues });
          }}
        />
      </div>
    </Section>
  );
}
