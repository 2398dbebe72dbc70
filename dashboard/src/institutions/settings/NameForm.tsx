import { t } from "@lingui/core/macro";
import { InstitutionChange } from "../../api/checks";
import { api } from "../../api/client";
import type { Institution } from "../../api/types";
import { FormField } from "../../ui/form/FormField";
import { SaveForm } from "../../ui/form/SaveForm";
import { useApiForm } from "../../ui/form/useApiForm";
import { Section } from "../../ui/Section";
import { useNotifyChanged } from "../../ui/useNotifyChanged";

export function NameForm({ institution }: { institution: Institution }) {
  const notifyChanged = useNotifyChanged();
  const form = useApiForm({
    values: { name: institution.name },
    checks: InstitutionChange,
    send: async ({ name }) => {
      await api.PUT("/api/institutions/{institutionId}", {
        params: { path: { institutionId: institution.id } },
        body: { name },
      });
      notifyChanged(t`Institution renamed to ${{ name: name.trim() }}.`);
    },
  });
  return (
    <Section
      title={t`Name`}
      subtitle={t`Shown to members, in emails, and to customers in the portal.`}
    >
      <SaveForm form={form} action={t`Save name`}>
        <FormField {...form.field("name")} label={t`Name`} input={{ dir: "auto" }} />
      </SaveForm>
    </Section>
  );
}
