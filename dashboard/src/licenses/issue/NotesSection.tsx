import { t } from "@lingui/core/macro";
import { MarkdownEditor } from "../../ui/MarkdownField";
import { Section } from "../../ui/Section";
import { DraftField } from "./DraftField";
import styles from "./issue.module.css";
import { MetadataFields } from "./MetadataFields";
import type { IssueForm } from "./useIssueForm";

/** What few licenses have: notes, metadata, and a key of the vendor's own. */
export function NotesSection({ form }: { form: IssueForm }) {
  const { draft, errors } = form;
  return (
    <Section title={t`Notes, metadata, and key`}>
      <div className={styles.stack}>
        <MarkdownEditor
          name="notes"
          label={t`Notes`}
          value={draft.notes}
          message={errors.notes}
          onValue={(notes) => {
            form.set({ notes });
          }}
          helperText={t`For your team only.`}
        />
        <MetadataFields form={form} />
        <div className={styles.fields}>
          <DraftField
            form={form}
            name="licenseKey"
            label={t`Custom license key`}
            helperText={t`8 to 128 characters. Leave empty to generate a secure key.`}
            slotProps={{ htmlInput: { maxLength: 128, spellCheck: false } }}
          />
        </div>
      </div>
    </Section>
  );
}
