import { t } from "@lingui/core/macro";
import Stack from "@mui/material/Stack";
import { useState } from "react";
import { api } from "../../api/client";
import type { Institution } from "../../api/types";
import { Form, FormField, FormProblem, SubmitButton, useFormSubmission } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { useNotifyChanged } from "../../ui/useNotifyChanged";

export function NameForm({ institution }: { institution: Institution }) {
  const [name, setName] = useState(institution.name);
  const notifyChanged = useNotifyChanged();
  const form = useFormSubmission(async () => {
    await api.PUT("/api/institutions/{institutionId}", {
      params: { path: { institutionId: institution.id } },
      body: { name },
    });
    notifyChanged(t`Institution renamed to ${{ name: name.trim() }}.`);
  });
  return (
    <Section
      title={t`Name`}
      subtitle={t`Shown to members, in emails, and to customers in the portal.`}
    >
      <Form {...form}>
        <Stack sx={{ gap: 2, alignItems: "flex-start" }}>
          <FormField
            name="name"
            label={t`Name`}
            required
            value={name}
            onValue={setName}
            slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
          />
          <FormProblem />
          <SubmitButton disabled={name === institution.name}>{t`Save name`}</SubmitButton>
        </Stack>
      </Form>
    </Section>
  );
}
