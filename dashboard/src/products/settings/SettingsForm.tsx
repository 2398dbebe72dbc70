import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Paper from "@mui/material/Paper";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { api } from "../../api/client";
import type { Product } from "../../api/types";
import { Form, FormProblem, SubmitButton, useFormSubmission } from "../../ui/Form";
import { Section } from "../../ui/Section";
import { UnsavedGuard } from "../../ui/UnsavedGuard";
import { AccessFields } from "../parts/AccessFields";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { validationErrors, changeOf, draftOf, type SettingsDraft } from "./draft";
import { GeneralSection } from "./GeneralSection";
import { LicensesSection, SessionsSection } from "./SettingsSections";

/** Edits the settings of a product; sends only what changed. */
export function SettingsForm({ product }: { product: Product }) {
  const notifyChanged = useNotifyChanged();
  const [base, setBase] = useState(product);
  const [draft, setDraft] = useState<SettingsDraft>(() => draftOf(product));
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(base));
  const isWrong = Object.keys(validationErrors(draft)).length > 0;
  const begin = (from: Product) => {
    setBase(from);
    setDraft(draftOf(from));
  };
  // Show changes made by others unless there are unsaved changes here.
  if (!isChanged && product.updatedAt > base.updatedAt) begin(product);
  const set = (change: Partial<SettingsDraft>) => {
    setDraft((now) => ({ ...now, ...change }));
  };
  const form = useFormSubmission(async () => {
    const { data } = await api.PUT("/api/products/{productId}", {
      params: { path: { productId: product.id } },
      body: changeOf(draft, base),
    });
    if (data) begin(data);
    notifyChanged(t`Settings saved.`);
  });
  return (
    <Form {...form}>
      <Stack sx={{ gap: 2.5 }}>
        <GeneralSection product={product} draft={draft} set={set} />
        <Section title={t`Access`}>
          <AccessFields
            accessType={draft.accessType}
            onChange={(accessType) => {
              set({ accessType });
            }}
          />
        </Section>
        <SessionsSection draft={draft} set={set} />
        <LicensesSection draft={draft} set={set} />
        <FormProblem />
        <Paper
          sx={{
            position: "sticky",
            bottom: 0,
            zIndex: 1,
            p: 1.5,
            display: "flex",
            flexWrap: "wrap",
            gap: 1,
            alignItems: "center",
          }}
        >
          <Typography role="status" color="textSecondary" sx={{ mr: "auto" }}>
            {isChanged ? t`You have unsaved changes.` : t`All changes saved.`}
          </Typography>
          <Button
            disabled={!isChanged || form.attempt.busy}
            onClick={() => {
              setDraft(draftOf(base));
            }}
          >
            {t`Discard`}
          </Button>
          <SubmitButton disabled={!isChanged || isWrong}>{t`Save changes`}</SubmitButton>
        </Paper>
      </Stack>
      <UnsavedGuard when={isChanged} />
    </Form>
  );
}
