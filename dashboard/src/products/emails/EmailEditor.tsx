import { t } from "@lingui/core/macro";
import Accordion from "@mui/material/Accordion";
import AccordionDetails from "@mui/material/AccordionDetails";
import AccordionSummary from "@mui/material/AccordionSummary";
import Alert from "@mui/material/Alert";
import Autocomplete from "@mui/material/Autocomplete";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import { request } from "../../api/client";
import type { Schemas } from "../../api/types";
import { DescriptionList } from "../../ui/DescriptionList";
import { Form, FormProblem, SubmitButton } from "../../ui/form/Form";
import { FormField } from "../../ui/form/FormField";
import { type ApiForm, useApiForm } from "../../ui/form/useApiForm";
import { languageName } from "../../ui/formats";
import { ExpandIcon } from "../../ui/icons";
import { Column, Row } from "../../ui/layout/layout";
import { Muted } from "../../ui/Muted";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { notify } from "../../ui/toasts/toasts";
import { UnsavedGuard } from "../../ui/UnsavedGuard";
import { useSubmission } from "../../ui/useSubmission";
import styles from "./emails.module.css";
import {
  changeOf,
  type Draft,
  draftOf,
  KINDS,
  type Owner,
  type Template,
  templatePath,
  trialOf,
} from "./template";

interface EmailEditorProps {
  owner: Owner;
  template: Template;
  onClose: () => void;
}

/** Edits the text of an email in one language at a time, next to a preview. */
export function EmailEditor({ owner, template, onClose }: EmailEditorProps) {
  const { label } = KINDS[template.kind];
  const path = templatePath(owner, template.kind);
  const [locale, setLocale] = useState(template.effective.defaultLocale);
  const form = useApiForm({
    values: draftOf(template, locale),
    send: (draft) => request("PUT", path, changeOf(draft)),
    done: t`${label}: text saved.`,
  });
  const { isDirty } = form.formState;
  const [senderName, replyTo, translations] = useWatch({
    control: form.control,
    name: ["senderName", "replyTo", "translations"],
  });
  const trial = trialOf({ senderName, replyTo, translations }, locale);
  const test = useSubmission();
  const sendTest = () =>
    test.run(async () => {
      await request("POST", `${path}/test`, trial ?? {});
      notify(t`Test email sent to your address.`, { type: "success" });
    });
  return (
    <Section
      title={label}
      help="emails"
      subtitle={t`Names in braces are placeholders for details of the license. A line is left out if the license does not have the detail.`}
      actions={<Button onClick={onClose}>{t`Back to all emails`}</Button>}
    >
      <Form form={form}>
        <Column gap="l">
          <div className={styles.halves}>
            <Column gap="l">
              <LanguageField
                locales={Object.keys(template.effective.translations)}
                value={locale}
                disabled={isDirty}
                onValue={(next) => {
                  form.reset(draftOf(template, next));
                  setLocale(next);
                }}
              />
              <TextFields form={form} locale={locale} />
              <PlaceholderList placeholders={template.placeholders} />
            </Column>
            <EmailPreview path={path} trial={trial} />
          </div>
          <FormProblem />
          {test.attempt.error !== null && <ProblemAlert error={test.attempt.error} />}
          <Row gap="s" place="atEnd" wraps>
            <Button loading={test.attempt.busy} disabled={!trial} onClick={() => void sendTest()}>
              {t`Send test to me`}
            </Button>
            <SubmitButton disabled={!isDirty || !trial}>{t`Save`}</SubmitButton>
          </Row>
        </Column>
      </Form>
      <UnsavedGuard when={isDirty} />
    </Section>
  );
}

const PAUSE_MS = 500;

/** The value as it was when it last stayed the same for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const key = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- equal values are the same
  }, [key]);
  return settled;
}

interface EmailPreviewProps {
  /** Of the template. */
  path: string;
  /** What to show; undefined while there is no text. */
  trial: Schemas["TryMailTemplateRequest"] | undefined;
}

/** The email as an example customer would get it, shortly after each change. */
function EmailPreview({ path, trial }: EmailPreviewProps) {
  const body = useSettled(trial);
  const { data, error } = useQuery({
    queryKey: ["post", path, body],
    queryFn: () => request<Schemas["MailPreview"]>("POST", `${path}/preview`, body),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!body)
    return <Alert severity="info">{t`Write a subject and a text to see the email.`}</Alert>;
  if (error) return <ProblemAlert error={error} />;
  const { senderName: sender = "", replyTo } = data ?? {};
  return (
    <Column gap="s" role="region" aria-label={t`Preview`}>
      <Typography variant="subtitle2" component="h3">
        {data?.subject}
      </Typography>
      <Muted>{replyTo ? t`From ${sender}, replies to ${replyTo}` : t`From ${sender}`}</Muted>
      <iframe
        title={t`Text of the email`}
        sandbox=""
        srcDoc={data?.html ?? ""}
        className={styles.text}
      />
    </Column>
  );
}

interface LanguageFieldProps {
  locales: string[];
  value: string;
  disabled: boolean;
  onValue: (locale: string) => void;
}

/** What a tag cannot have in it: somebody typed pt.BR for pt-BR. */
const FOREIGN = /[^\w-]+/g;

/** Chooses one of the languages of a text, or begins a new one by its tag. */
const LanguageField = ({ locales, value, disabled, onValue }: LanguageFieldProps) => (
  <Autocomplete
    freeSolo
    disableClearable
    disabled={disabled}
    options={locales}
    getOptionLabel={languageName}
    value={value}
    onChange={(_, chosen) => {
      const tag = chosen.trim().replace(FOREIGN, "-");
      if (tag) onValue(tag);
    }}
    renderInput={(props) => (
      <TextField
        {...props}
        // It says why the field is disabled, so it stays readable.
        slotProps={{ ...props.slotProps, formHelperText: { disabled: false } }}
        label={t`Language`}
        helperText={
          disabled
            ? t`Save the text before you change the language.`
            : t`Choose one, or enter a new language tag, such as de or pt-BR, and press Enter.`
        }
      />
    )}
  />
);

/** The names that a text may have in braces, and what they stand for. */
const PlaceholderList = ({ placeholders }: { placeholders: Schemas["MailPlaceholder"][] }) => (
  <Accordion variant="outlined" disableGutters>
    <AccordionSummary expandIcon={<ExpandIcon />}>
      <Typography component="h3">{t`Placeholders`}</Typography>
    </AccordionSummary>
    <AccordionDetails>
      <DescriptionList
        facts={placeholders.map(({ name, description }) => [`{${name}}`, description] as const)}
      />
    </AccordionDetails>
  </Accordion>
);

interface TextFieldsProps {
  form: ApiForm<Draft>;
  locale: string;
}

/** The sender of an email, and its text in a language. */
const TextFields = ({ form: { field }, locale }: TextFieldsProps) => (
  <>
    <FormField
      {...field("senderName")}
      label={t`Sender`}
      helperText={t`Shown before the address. Leave it empty for the name of your institution.`}
    />
    <FormField
      {...field("replyTo")}
      label={t`Replies to`}
      type="email"
      helperText={t`Optional. Email address that replies go to.`}
    />
    <FormField
      key={`subject-${locale}`}
      {...field(`translations.${locale}.subject`)}
      label={t`Subject`}
      required
    />
    <FormField
      key={`body-${locale}`}
      {...field(`translations.${locale}.body`)}
      label={t`Text`}
      required
      multiline
      minRows={8}
      maxRows={24}
      helperText={t`Markdown is supported, images and HTML are not.`}
    />
  </>
);
