import { t } from "@lingui/core/macro";
import { InstitutionSettingsChange } from "../../api/checks";
import { fieldsOf, OPTIONAL_NUMBER } from "../../api/fields";
import { FormField } from "../../ui/form/FormField";
import { SaveForm } from "../../ui/form/Form";
import { useApiForm } from "../../ui/form/useApiForm";
import { Row } from "../../ui/layout/layout";
import { Section } from "../../ui/Section";
import { useSaveSettings, type SettingsProps } from "./settings";

const FIELDS = fieldsOf({ runtimeRateLimit: OPTIONAL_NUMBER, apiKeyRateLimit: OPTIONAL_NUMBER });

/** Rate limits per product key and per API key. */
export function LimitsForm({ institutionId, settings }: SettingsProps) {
  const saveSettings = useSaveSettings(institutionId);
  const form = useApiForm({
    values: FIELDS.draftOf(settings),
    checks: InstitutionSettingsChange,
    send: (draft) => saveSettings(FIELDS.bodyOf(draft), t`Rate limits saved.`),
  });
  return (
    <Section
      title={t`Rate limits`}
      help="plans-and-limits"
      subtitle={t`Requests per minute for each key. Requests over the limit get a 429 response until the minute is over.`}
    >
      <SaveForm form={form} action={t`Save limits`}>
        <Row gap="l" align="stretch" folds>
          <FormField
            {...form.field("runtimeRateLimit")}
            type="number"
            label={t`Per product key`}
            helperText={t`Requests from applications. Leave empty for no limit.`}
          />
          <FormField
            {...form.field("apiKeyRateLimit")}
            type="number"
            label={t`Per API key`}
            helperText={t`Requests from your own programs. Leave empty for no limit.`}
          />
        </Row>
      </SaveForm>
    </Section>
  );
}
