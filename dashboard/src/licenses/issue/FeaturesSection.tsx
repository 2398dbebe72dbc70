import { t } from "@lingui/core/macro";
import { useField } from "../../ui/form/useField";
import { Column } from "../../ui/layout/layout";
import { Section } from "../../ui/Section";
import { FeatureValueFields } from "../FeatureValueFields";
import { EntitlementField } from "./EntitlementField";
import styles from "./issue.module.css";
import type { IssueForm } from "./useIssueForm";

/** The features of the license: those of an entitlement set, and values of its own. */
export function FeaturesSection({ form }: { form: IssueForm }) {
  const { value, set, message } = useField(form.field("featureValues"));
  return (
    <Section title={t`Features`} help="features-and-entitlements">
      <Column gap="l">
        <div className={styles.fields}>
          <EntitlementField form={form} />
        </div>
        <FeatureValueFields features={form.features} pairs={value} error={message} onChange={set} />
      </Column>
    </Section>
  );
}
