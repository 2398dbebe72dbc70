import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import { useState } from "react";
import { $api, api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { CopyField } from "../../ui/CopyField";
import { Form, FormField, FormProblem, SubmitButton, useFormSubmission } from "../../ui/Form";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { LogoField } from "./LogoField";

type Appearance = Schemas["Appearance"];
type Draft = Record<"displayName" | "color" | "welcome" | "supportEmail" | "supportUrl", string>;

const draftOf = (shown: Appearance): Draft => ({
  displayName: shown.displayName ?? "",
  color: shown.color ?? "",
  welcome: shown.welcome ?? "",
  supportEmail: shown.supportEmail ?? "",
  supportUrl: shown.supportUrl ?? "",
});

/** How the institution looks to its customers in the portal. */
export function AppearanceForm({ institutionId }: { institutionId: string }) {
  const { data, error, refetch } = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/appearance",
    { params: { path: { institutionId } } },
  );
  return (
    <Section
      title={t`Appearance`}
      help="portal"
      subtitle={t`How your customers see you in the portal. Without anything here they see the name of the institution.`}
    >
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton variant="rounded" height={320} />}
      {data && (
        <Stack sx={{ gap: 2.5 }}>
          <LogoField appearance={data} />
          <Words key={JSON.stringify(draftOf(data))} appearance={data} />
          <CopyField
            label={t`Portal link, for your website and your emails`}
            value={`${window.location.origin}/portal/access?vendor=${institutionId}`}
          />
        </Stack>
      )}
    </Section>
  );
}

function Words({ appearance }: { appearance: Appearance }) {
  const before = draftOf(appearance);
  const [draft, setDraft] = useState(before);
  const notifyChanged = useNotifyChanged();
  const names = Object.keys(draft) as (keyof Draft)[];
  const changed = names.filter((name) => draft[name].trim() !== before[name]);
  const form = useFormSubmission(async () => {
    await api.PUT("/api/institutions/{institutionId}/appearance", {
      params: { path: { institutionId: appearance.institutionId } },
      body: Object.fromEntries(changed.map((name) => [name, draft[name].trim() || null])),
    });
    notifyChanged(t`Appearance saved.`);
  });
  const field = (name: keyof Draft) => ({
    name,
    value: draft[name],
    onValue: (value: string) => {
      setDraft((now) => ({ ...now, [name]: value }));
    },
  });
  return (
    <Form {...form}>
      <Stack sx={{ gap: 2, alignItems: "flex-start" }}>
        <FormField
          {...field("displayName")}
          label={t`Display name`}
          slotProps={{ htmlInput: { maxLength: 200, dir: "auto" } }}
        />
        <FormField
          {...field("color")}
          label={t`Color`}
          placeholder="#1a56db"
          slotProps={{ htmlInput: { maxLength: 7, spellCheck: false } }}
          helperText={t`Of buttons and links, as #rrggbb. White text has to be readable on it.`}
        />
        <FormField
          {...field("welcome")}
          label={t`Welcome`}
          multiline
          minRows={2}
          slotProps={{ htmlInput: { maxLength: 1_000, dir: "auto" } }}
          helperText={t`A few words above the licenses.`}
        />
        <FormField {...field("supportEmail")} label={t`Support email`} type="email" />
        <FormField
          {...field("supportUrl")}
          label={t`Support page`}
          type="url"
          placeholder="https://example.com/help"
        />
        <FormProblem />
        <SubmitButton disabled={changed.length === 0}>{t`Save appearance`}</SubmitButton>
      </Stack>
    </Form>
  );
}
