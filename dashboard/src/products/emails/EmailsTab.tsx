import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Accordion from "@mui/material/Accordion";
import AccordionDetails from "@mui/material/AccordionDetails";
import AccordionSummary from "@mui/material/AccordionSummary";
import Alert from "@mui/material/Alert";
import Autocomplete from "@mui/material/Autocomplete";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useQuery, keepPreviousData } from "@tanstack/react-query";
import { type ReactNode, useState, useEffect } from "react";
import { useWatch } from "react-hook-form";
import { $api, at, request } from "../../api/client";
import type { Schemas } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { DescriptionList } from "../../ui/DescriptionList";
import { Form, FormProblem, SubmitButton } from "../../ui/form/Form";
import { FormField } from "../../ui/form/FormField";
import { type ApiForm, useApiForm } from "../../ui/form/useApiForm";
import { languageName } from "../../ui/formats";
import { ExpandIcon } from "../../ui/icons";
import { Column, Row } from "../../ui/layout/layout";
import { Loading } from "../../ui/Loading";
import { Muted } from "../../ui/Muted";
import { PageLink } from "../../ui/PageLink";
import { settingsPath } from "../../ui/paths";
import { styleNonce } from "../../ui/styleNonce";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { TabHeading, Section } from "../../ui/Section";
import { notify } from "../../ui/toasts/toasts";
import { UnsavedGuard } from "../../ui/UnsavedGuard";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { useSubmission } from "../../ui/useSubmission";
import type { TabProps } from "../parts/TabProps";
import styles from "./emails.module.css";
import {
  isOwn,
  type Kind,
  KINDS,
  originOf,
  type Owner,
  type Template,
  templatePath,
  templatesPath,
  changeOf,
  type Draft,
  draftOf,
  languageOf,
  trialOf,
} from "./template";

type Count = Schemas["MailCount"];

/** The emails that customers get about licenses of a product. */
export const EmailsTab = ({ product, manage }: TabProps) => (
  <EmailTemplates owner={{ productId: product.id }} manage={manage}>
    {t`Emails to customers about their licenses, in your words and their language.`}
    {manage && (
      <>
        {" "}
        <Trans>
          Texts for all products are in the{" "}
          <PageLink to={settingsPath(product.institutionId, "emails")}>settings</PageLink>.
        </Trans>
      </>
    )}
  </EmailTemplates>
);

interface EmailTemplatesProps {
  owner: Owner;
  manage: boolean;
  /** What the texts are for. */
  children: ReactNode;
}

/** The emails that customers get about licenses of a product, or of all without texts of their own. */
export function EmailTemplates({ owner, manage, children }: EmailTemplatesProps) {
  const [edited, setEdited] = useState<Kind | null>(null);
  const path = templatesPath(owner);
  const { data, error, refetch } = useQuery({
    queryKey: ["get", path],
    queryFn: () => request<Schemas["MailTemplates"]>("GET", path),
  });
  const counts = useCounts(owner, manage);
  if (error) return <ProblemAlert error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  const template = data.templates.find(({ kind }) => kind === edited);
  if (template)
    return <EmailEditor owner={owner} template={template} onClose={() => setEdited(null)} />;
  return (
    <Column gap="s">
      <TabHeading title={t`Emails`} help="emails">
        {children}
      </TabHeading>
      {data.templates.map((item) => (
        <Email
          key={item.kind}
          owner={owner}
          template={item}
          manage={manage}
          count={counts?.find(({ kind }) => kind === item.kind)}
          onEdit={() => setEdited(item.kind)}
        />
      ))}
    </Column>
  );
}

/** How many emails an institution has sent of late; of a product alone that is not known. */
function useCounts(owner: Owner, manage: boolean): Count[] | undefined {
  const institutionId = "institutionId" in owner ? owner.institutionId : "";
  const { data } = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/mail-counts",
    at({ institutionId }),
    { enabled: manage && institutionId !== "" },
  );
  return data?.kinds;
}

function sentence({ sent, failed }: Count): string {
  if (sent + failed === 0) return t`None in the last 30 days`;
  if (failed === 0) return t`Sent ${sent} in the last 30 days`;
  return t`Sent ${sent} in the last 30 days, ${failed} failed`;
}

interface EmailProps {
  owner: Owner;
  template: Template;
  manage: boolean;
  count: Count | undefined;
  onEdit: () => void;
}

function Email({ owner, template, manage, count, onEdit }: EmailProps) {
  const { label, when } = KINDS[template.kind];
  const notifyChanged = useNotifyChanged();
  const { attempt, run } = useSubmission();
  const turn = (automatic: boolean) =>
    run(async () => {
      await request("PUT", templatePath(owner, template.kind), { automatic });
      notifyChanged(
        automatic ? t`${label}: sent automatically.` : t`${label}: sent on request only.`,
      );
    });
  return (
    <Card component="section" aria-label={label} className={styles.email}>
      <Row gap="l" place="apart" folds>
        <div>
          <Typography variant="subtitle1" component="h3">
            {label}
          </Typography>
          <Typography color="textSecondary">{when}</Typography>
          <Muted>{originOf(template)}</Muted>
          {count && <Muted component="div">{sentence(count)}</Muted>}
        </div>
        <Row gap="l" align="stretch" className={styles.switch}>
          <FormControlLabel
            label={t`Sent automatically`}
            control={
              <Switch
                checked={template.effective.automatic}
                disabled={!manage || attempt.busy}
                onChange={(_, automatic) => void turn(automatic)}
              />
            }
          />
          {manage && isOwn(template) && (
            <ResetEmail path={templatePath(owner, template.kind)} label={label} />
          )}
          {manage && (
            <Button variant="outlined" aria-label={t`Edit ${label}`} onClick={onEdit}>
              {t`Edit`}
            </Button>
          )}
        </Row>
      </Row>
      {attempt.error !== null && <ProblemAlert error={attempt.error} />}
    </Card>
  );
}

interface ResetEmailProps {
  /** The template. */
  path: string;
  label: string;
}

/** Deletes a template, so that the one of the institution or the built-in one is used again. */
function ResetEmail({ path, label }: ResetEmailProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button aria-label={t`Reset ${label}`} onClick={() => setIsAsking(true)}>
        {t`Reset`}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t`Reset email`}
          action={t`Reset email`}
          danger
          consequence={t`Your text is deleted in all languages, with its sender, and this cannot be undone. The standard text is used from now on.`}
          onConfirm={() => request("DELETE", path)}
          done={t`${label}: reset.`}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

interface EmailEditorProps {
  owner: Owner;
  template: Template;
  onClose: () => void;
}

/** Edits the text of an email in one language at a time, next to a preview. */
function EmailEditor({ owner, template, onClose }: EmailEditorProps) {
  const { label } = KINDS[template.kind];
  const path = templatePath(owner, template.kind);
  const [locale, setLocale] = useState(() => languageOf(template));
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
      <Letter page={data?.page ?? ""} />
    </Column>
  );
}

/** The page that an email is, as high as its content; it runs no scripts, and only its own style applies. */
function Letter({ page }: { page: string }) {
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const styled = page.replace("<style>", `<style nonce="${styleNonce()}">`);
  return (
    <iframe
      title={t`Text of the email`}
      sandbox="allow-same-origin"
      srcDoc={styled}
      className={styles.text}
      style={{ height }}
      onLoad={({ currentTarget }) =>
        setHeight(currentTarget.contentDocument?.body.offsetHeight ?? FIRST_HEIGHT)
      }
    />
  );
}

const FIRST_HEIGHT = 420;

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
