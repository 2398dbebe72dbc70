import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Paper from "@mui/material/Paper";
import Typography from "@mui/material/Typography";
import { useWatch } from "react-hook-form";
import { ProductChange } from "../../api/checks";
import { api } from "../../api/client";
import type { Product } from "../../api/types";
import { Form, FormProblem, SubmitButton } from "../../ui/form/Form";
import { useApiForm, type ApiForm } from "../../ui/form/useApiForm";
import { Column } from "../../ui/layout/layout";
import { Section } from "../../ui/Section";
import { UnsavedGuard } from "../../ui/UnsavedGuard";
import { AccessFields } from "../parts/AccessFields";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { breachesOf, changeOf, draftOf, type SettingsDraft } from "./draft";
import { GeneralSection } from "./GeneralSection";
import { LicensesSection, SessionsSection } from "./SettingsSections";
import styles from "./settings.module.css";

/** Edits the settings of a product; sends only what changed. */
export function SettingsForm({ product }: { product: Product }) {
  const notifyChanged = useNotifyChanged();
  const form = useApiForm({
    values: draftOf(product),
    checks: ProductChange,
    validate: ({ settings }) => breachesOf(settings),
    send: async (draft) => {
      await api.PUT("/api/products/{productId}", {
        params: { path: { productId: product.id } },
        body: changeOf(draft, product),
      });
      notifyChanged(t`Settings saved.`);
    },
  });
  return (
    <Form form={form}>
      <Column gap="l">
        <GeneralSection product={product} form={form} />
        <Section title={t`Access`}>
          <AccessFields {...form.field("accessType")} />
        </Section>
        <SessionsSection form={form} />
        <LicensesSection form={form} />
        <FormProblem />
        <Bar form={form} />
      </Column>
      <UnsavedGuard when={form.formState.isDirty} />
    </Form>
  );
}

function Bar({ form }: { form: ApiForm<SettingsDraft> }) {
  const { isDirty, isSubmitting } = form.formState;
  const settings = useWatch({ control: form.control, name: "settings" });
  const isWrong = Object.keys(breachesOf(settings)).length > 0;
  return (
    <Paper className={styles.bar}>
      <Typography role="status" color="textSecondary" className={styles.state}>
        {isDirty ? t`You have unsaved changes.` : t`All changes saved.`}
      </Typography>
      <Button disabled={!isDirty || isSubmitting} onClick={() => form.reset()}>
        {t`Discard`}
      </Button>
      <SubmitButton disabled={!isDirty || isWrong}>{t`Save changes`}</SubmitButton>
    </Paper>
  );
}
