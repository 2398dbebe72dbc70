import { t } from "@lingui/core/macro";
import type { Schemas } from "../../api/types";
import { FormField } from "../../ui/form/FormField";
import { useField } from "../../ui/form/useField";
import { Column } from "../../ui/layout/layout";
import { MarkdownField } from "../../ui/MarkdownField";
import { type MeterKind, MODEL_TRAITS, type SeatKind } from "../../ui/models";
import { Section } from "../../ui/Section";
import { TermFields } from "../../ui/terms/TermFields";
import { TagsField } from "../../ui/tags/TagsField";
import { useInstitution } from "../../ui/useInstitution";
import { FeatureValueFields } from "../FeatureValueFields";
import { type CardChoice, ChoiceCards } from "./ChoiceCards";
import { EntitlementField } from "./EntitlementField";
import { FeaturePrices } from "./FeaturePrices";
import styles from "./issue.module.css";
import { MetadataFields } from "./MetadataFields";
import type { IssueForm } from "./useIssueForm";

/** The features of the license: those of an entitlement set, and values of its own. */
export function FeaturesSection({ form }: { form: IssueForm }) {
  const { value, set, message } = useField(form.field("featureValues"));
  return (
    <Section title={t`Features`} help="features-and-entitlements">
      <Column gap="l">
        <div className={styles.fields}>
          <EntitlementField form={form} />
        </div>
        <FeatureValueFields features={form.features} pairs={value} error={message} onChange={set} />
      </Column>
    </Section>
  );
}

const SEATS: Record<SeatKind, { title: string; hint: string }> = {
  sessions: {
    title: t`Seats`,
    hint: t`How many sessions can run at the same time. A seat is freed when the application disconnects or its heartbeats stop.`,
  },
  devices: {
    title: t`Devices`,
    hint: t`How many devices can hold a seat. A device keeps its seat until it is deactivated.`,
  },
};

const BINDING: CardChoice<Schemas["DeviceBindingMode"]>[] = [
  {
    value: "AutoBind",
    label: t`Auto-bind`,
    text: t`The license is bound to the first machine that validates it, automatically.`,
  },
  {
    value: "OwnerApproval",
    label: t`Product owner approval`,
    text: t`The first machine has to wait until you approve it. Until then it is rejected.`,
  },
];

/** How much of it the model asks for: seats, devices, credits, uses, or one machine. */
export function LimitsSection({ form }: { form: IssueForm }) {
  const { type } = form.draft;
  const model = type && MODEL_TRAITS[type];
  if (model?.seats) return <Seats form={form} kind={model.seats} />;
  if (model?.meter) return <Balance form={form} kind={model.meter} />;
  if (!model?.binding) return null;
  return (
    <Section title={t`Device`}>
      <ChoiceCards
        {...form.field("deviceBindingMode")}
        label={t`Device binding mode`}
        choices={BINDING}
      />
    </Section>
  );
}

/** What devices may take away. */
const Away = ({ form }: { form: IssueForm }) =>
  form.draft.type && <TermFields form={form} type={form.draft.type} group="away" />;

const Seats = ({ form, kind }: { form: IssueForm; kind: SeatKind }) => (
  <Section title={SEATS[kind].title}>
    <div className={styles.fields}>
      <FormField
        {...form.field("maxActiveUsersCount")}
        type="number"
        required
        helperText={SEATS[kind].hint}
        demand={{ minimum: 1, maximum: 1_000_000 }}
        input={{ step: 1 }}
      />
      <Away form={form} />
    </div>
  </Section>
);

const Balance = ({ form, kind }: { form: IssueForm; kind: MeterKind }) => (
  <Section title={kind === "credits" ? t`Credits` : t`Uses`} help="metering">
    <div className={styles.fields}>
      <FormField
        {...form.field("initialMeterBalance")}
        type="number"
        label={kind === "credits" ? t`Initial credits` : t`Initial uses`}
        required
        helperText={
          kind === "credits"
            ? t`Each use of a feature costs its price in credits. You can grant more at any time.`
            : t`Each use counts as one, whatever the feature. You can grant more at any time.`
        }
        demand={{ minimum: 0 }}
        input={{ step: kind === "credits" ? "any" : 1 }}
      />
      {kind === "credits" && form.draft.productId && <FeaturePrices form={form} />}
      <Away form={form} />
    </div>
  </Section>
);

/** What few licenses have: notes, tags, metadata, and a key of the vendor's own. */
export function NotesSection({ form: { field } }: { form: IssueForm }) {
  const { institutionId } = useInstitution();
  return (
    <Section title={t`Notes, metadata, and key`}>
      <Column gap="l">
        <MarkdownField {...field("notes")} label={t`Notes`} helperText={t`For your team only.`} />
        <TagsField {...field("tags")} of="licenses" institutionId={institutionId ?? null} />
        <MetadataFields {...field("metadata")} />
        <div className={styles.fields}>
          <FormField
            {...field("licenseKey")}
            label={t`Custom license key`}
            helperText={t`8 to 128 characters. Leave empty to generate a secure key.`}
            demand={{ maxLength: 128 }}
            input={{ spellCheck: false }}
          />
        </div>
      </Column>
    </Section>
  );
}
