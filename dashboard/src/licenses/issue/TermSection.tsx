import { t } from "@lingui/core/macro";
import Chip from "@mui/material/Chip";
import { type Schemas, LICENSE_TYPES, type LicenseType } from "../../api/types";
import { endOfDay, dayAfter } from "../../ui/days";
import { DateField } from "../../ui/dates/DateField";
import { FormField } from "../../ui/form/FormField";
import { date } from "../../ui/formats";
import { MODEL_LABELS } from "../../ui/labels";
import { Column, Row } from "../../ui/layout/layout";
import { MODEL_TRAITS } from "../../ui/models";
import { Section } from "../../ui/Section";
import { TermFields } from "../../ui/terms/TermFields";
import { termsIn } from "../../ui/terms/terms";
import { MODEL_TEXT } from "../modelText";
import { ChoiceCards, type CardChoice } from "./ChoiceCards";
import styles from "./issue.module.css";
import { Limits } from "./LimitsSection";
import type { IssueForm } from "./useIssueForm";

const MODELS = LICENSE_TYPES.map((type) => ({
  value: type,
  label: MODEL_LABELS[type],
  text: MODEL_TEXT[type].brief,
}));

const MODES: CardChoice<Schemas["ActivationMode"]>[] = [
  {
    value: "Online",
    label: t`Online`,
    text: t`The application checks with the server. A revocation takes effect immediately. Without a connection, the application keeps running for its grace period.`,
  },
  {
    value: "Offline",
    label: t`Offline`,
    text: t`license.bin is sufficient until it must be refreshed. A revocation takes effect with the next refresh.`,
  },
];

const Credentials = ({ form }: { form: IssueForm }) => (
  <div className={styles.fields}>
    <FormField
      {...form.field("username")}
      helperText={t`If both are set, online validation requires them.`}
    />
    <FormField
      {...form.field("password")}
      type="password"
      autoComplete="new-password"
      helperText={t`It cannot be viewed again.`}
    />
  </div>
);

/** What few licenses need other than usual. */
function DeviceTerms({ form, type }: { form: IssueForm; type: LicenseType }) {
  const terms = termsIn(type, "devices");
  if (terms.length === 0) return null;
  const labels = terms.map(([, { label }]) => label).join(", ");
  const isUsual = terms.every(([name, { kind, usual }]) => form.draft[name] === kind.text(usual));
  return (
    <details className={styles.own} open={!isUsual}>
      <summary>
        {t`Advanced`} <span className={styles.muted}>{labels}</span>
      </summary>
      <div className={styles.fields}>
        <TermFields form={form} type={type} group="devices" />
      </div>
    </details>
  );
}

interface TermSectionProps {
  form: IssueForm;
  /** Whether the page begins here. */
  isNext: boolean;
}

/** The model, and what belongs to it: the term, the activation mode, credentials. */
export function TermSection({ form, isNext }: TermSectionProps) {
  const { draft, field } = form;
  const model = draft.type && MODEL_TRAITS[draft.type];
  return (
    <Section title={t`Model and term`} help="models">
      <Column gap="l">
        <ChoiceCards
          {...field("type")}
          label={t`Model`}
          size="small"
          required
          choices={MODELS}
          autoFocus={isNext}
          onValue={() => form.fill({ policyId: "", policyTerm: "" })}
        />
        {draft.type && (
          <p className={styles.note}>
            {MODEL_TEXT[draft.type].description} {MODEL_TEXT[draft.type].useCase}
          </p>
        )}
        <Limits form={form} />
        {draft.type && (
          <div className={styles.fields}>
            <EndField form={form} type={draft.type} />
            <TermFields form={form} type={draft.type} group="grace" />
            <DateField
              {...field("updatesUntil")}
              helperText={
                draft.policyId === ""
                  ? t`The last day whose releases are covered. Empty: no end.`
                  : t`The last day whose releases are covered. Empty: as the policy says.`
              }
            />
            <TermFields form={form} type={draft.type} group="fallback" />
          </div>
        )}
        {model?.offline && (
          <ChoiceCards {...field("activationMode")} label={t`Activation mode`} choices={MODES} />
        )}
        {model?.credentials && <Credentials form={form} />}
        {draft.type && <DeviceTerms form={form} type={draft.type} />}
      </Column>
    </Section>
  );
}

type Quick = readonly [label: string, from: { days?: number; months?: number } | null];

const TRIAL: Quick[] = [
  [t`14 days`, { days: 14 }],
  [t`30 days`, { days: 30 }],
  [t`60 days`, { days: 60 }],
];
const TERM: Quick[] = [
  [t`1 month`, { months: 1 }],
  [t`6 months`, { months: 6 }],
  [t`1 year`, { months: 12 }],
  [t`2 years`, { months: 24 }],
];
const OPTIONAL: Quick[] = [
  [t`No expiration`, null],
  [t`1 year`, { months: 12 }],
  [t`2 years`, { months: 24 }],
];

const quickFor = (type: LicenseType) =>
  type === "Trial" ? TRIAL : MODEL_TRAITS[type].expirationRequired ? TERM : OPTIONAL;

/** The expiration date, typed or chosen from presets. */
function EndField({ form, type }: { form: IssueForm; type: LicenseType }) {
  const { policyTerm } = form.draft;
  const expirationRequired = MODEL_TRAITS[type].expirationRequired && !policyTerm;
  const day = form.draft.expirationDate;
  const end = endOfDay(day);
  return (
    <Column gap="s">
      <DateField
        {...form.field("expirationDate")}
        required={expirationRequired}
        helperText={
          end
            ? t`Expires at the end of ${{ day: date(end) }}, in the time zone of the institution.`
            : policyTerm
              ? t`Empty: ${{ term: policyTerm }}, as the policy says.`
              : expirationRequired
                ? t`The last day the license is valid.`
                : t`Leave empty if the license does not expire.`
        }
        range={{ min: dayAfter({}) }}
      />
      <Row gap="s" wraps role="group" aria-label={t`Presets`}>
        {quickFor(type).map(([label, from]) => {
          const chosen = from ? dayAfter(from) : "";
          return (
            <Chip
              key={label}
              component="button"
              type="button"
              clickable
              label={label}
              aria-pressed={day === chosen}
              color={day === chosen ? "primary" : "default"}
              variant={day === chosen ? "filled" : "outlined"}
              onClick={() => form.fill({ expirationDate: chosen })}
            />
          );
        })}
      </Row>
    </Column>
  );
}
