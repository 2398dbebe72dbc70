import { t } from "@lingui/core/macro";
import { FormField } from "../../ui/form/FormField";
import { Column } from "../../ui/layout/layout";
import { MarkdownField } from "../../ui/MarkdownField";
import { Section } from "../../ui/Section";
import styles from "./issue.module.css";
import { MetadataFields } from "./MetadataFields";
import type { IssueForm } from "./useIssueForm";

/** What few licenses have: notes, metadata, and a key of the vendor's own. */
export const NotesSection = ({ form: { field } }: { form: IssueForm }) => (
  <Section title={t`Notes, metadata, and key`}>
    <Column gap="l">
      <MarkdownField {...field("notes")} label={t`Notes`} helperText={t`For your team only.`} />
      <MetadataFields {...field("metadata")} />
      <div className={styles.fields}>
        <FormField
          {...field("licenseKey")}
          label={t`Custom license key`}
          helperText={t`8 to 128 characters. Leave empty to generate a secure key.`}
          demand={{ maxLength: 128 }}
          input={{ spellCheck: false }}
        />
      </div>
    </Column>
  </Section>
);
