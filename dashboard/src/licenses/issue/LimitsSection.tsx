import { t, plural } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import FormHelperText from "@mui/material/FormHelperText";
import IconButton from "@mui/material/IconButton";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { useQueries } from "@tanstack/react-query";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { FormField } from "../../ui/form/FormField";
import type { FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { number } from "../../ui/formats";
import { AddIcon, DeleteIcon } from "../../ui/icons";
import { Column, Row } from "../../ui/layout/layout";
import { MarkdownField } from "../../ui/MarkdownField";
import { type MeterKind, MODEL_TRAITS, type SeatKind } from "../../ui/models";
import { Muted } from "../../ui/Muted";
import { Section } from "../../ui/Section";
import { TagsField } from "../../ui/tags/TagsField";
import { TermFields } from "../../ui/terms/TermFields";
import { useInstitution } from "../../ui/useInstitution";
import { OwnTextFields } from "../fields";
import { FeatureValueFields } from "../FeatureValueFields";
import { COUNT_MAX } from "./checks";
import { type CardChoice, ChoiceCards } from "./ChoiceCards";
import { EntitlementField } from "./EntitlementField";
import styles from "./issue.module.css";
import { type Draft, EMPTY_DRAFT } from "./issueDraft";
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

const SEATS: Record<SeatKind, string> = {
  sessions: t`How many sessions can run at the same time. A seat is freed when the application disconnects or its heartbeats stop.`,
  devices: t`How many devices can hold a seat. A device keeps its seat until it is deactivated.`,
};

const BINDING: CardChoice<Schemas["DeviceBindingMode"]>[] = [
  {
    value: "AutoBind",
    label: t`Auto-bind`,
    text: t`The license is bound to the first device that validates it, automatically.`,
  },
  {
    value: "OwnerApproval",
    label: t`Product owner approval`,
    text: t`The first device has to wait until you approve it. Until then it is rejected.`,
  },
];

/** How much of it the model asks for: seats, devices, credits, uses, or one machine. */
export function Limits({ form }: { form: IssueForm }) {
  const { type } = form.draft;
  const model = type && MODEL_TRAITS[type];
  if (model?.seats) return <Seats form={form} kind={model.seats} />;
  if (model?.meter) return <Balance form={form} kind={model.meter} />;
  if (!model?.binding) return null;
  return (
    <ChoiceCards
      {...form.field("deviceBindingMode")}
      label={t`Device binding mode`}
      choices={BINDING}
    />
  );
}

/** What devices may take away. */
const Away = ({ form }: { form: IssueForm }) =>
  form.draft.type && <TermFields form={form} type={form.draft.type} group="away" />;

const Seats = ({ form, kind }: { form: IssueForm; kind: SeatKind }) => (
  <div className={styles.fields}>
    <FormField
      {...form.field("maxActiveUsersCount")}
      type="number"
      required
      helperText={SEATS[kind]}
      demand={{ minimum: 1, maximum: 1_000_000 }}
      input={{ step: 1 }}
    />
    <Away form={form} />
  </div>
);

const Balance = ({ form, kind }: { form: IssueForm; kind: MeterKind }) => (
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
);

const FEW = ["issuer", "count", "notes", "tags", "metadata", "licenseKey"] as const;
const isAlike = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What few licenses have: an issuer, notes, tags, metadata, a key of the vendor's own; and how many there are. */
export function MoreSection({ form }: { form: IssueForm }) {
  const { field } = form;
  // What a draft or another license brought along is in sight.
  const [isOpen] = useState(() =>
    FEW.some((name) => !isAlike(form.draft[name], EMPTY_DRAFT[name])),
  );
  const { institutionId } = useInstitution();
  return (
    <details className={styles.more} open={isOpen}>
      <summary>
        {t`More`}{" "}
        <span className={styles.muted}>
          {t`Issuer, number of licenses, notes, tags, metadata, key of your own`}
        </span>
      </summary>
      <Column gap="l">
        <div className={styles.fields}>
          <OwnTextFields form={form} />
          <FormField
            {...field("count")}
            type="number"
            label={t`Number of licenses`}
            helperText={t`Each with a key of its own. Several are not emailed; you download their keys.`}
            demand={{ required: true, minimum: 1, maximum: COUNT_MAX }}
            input={{ step: 1 }}
          />
        </div>
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
    </details>
  );
}

const SHOWN = 20;

/** What a use costs, and for how many uses the balance is enough. */
function priceText(cost: number, enough: number): string {
  const credits = number(cost);
  const uses = number(enough);
  return enough > 0
    ? plural(enough, { other: `${credits} credits per use, enough for ${uses} uses` })
    : t`${credits} credits per use`;
}

/** The current price of each feature in credits. */
function FeaturePrices({ form }: { form: IssueForm }) {
  const { productId, initialMeterBalance } = form.draft;
  const { data } = $api.useQuery("get", "/api/products/{productId}/features", {
    params: { path: { productId: productId ?? "" }, query: { pageSize: SHOWN, sort: "name" } },
  });
  const features = data?.items ?? [];
  const prices = useQueries({
    queries: features.map((feature) =>
      $api.queryOptions("get", "/api/meter/features/{featureId}/pricing", {
        params: { path: { featureId: feature.id }, query: { pageSize: 1, sort: "-createdAt" } },
      }),
    ),
  });
  if (!data) return <Skeleton variant="rounded" height={80} />;
  if (features.length === 0)
    return (
      <Alert severity="info">
        {t`The product has no features yet. Usage is rejected until there is a feature with a price.`}
      </Alert>
    );
  const balance = Number(initialMeterBalance) || 0;
  const hidden = (data.totalCount ?? features.length) - features.length;
  const left = String(hidden);
  return (
    <Column gap="xs" className={styles.prices}>
      <Typography variant="subtitle2" component="p">
        {t`Current prices`}
      </Typography>
      <ul>
        {features.map((feature, index) => {
          const cost = prices[index]?.data?.items.find((price) => price.active)?.tokenCost;
          const enough = cost ? Math.floor(balance / cost) : 0;
          return (
            <Typography key={feature.id} component="li" variant="body2">
              {feature.displayName ?? feature.name}:{" "}
              {cost === undefined
                ? prices[index]?.isPending
                  ? "…"
                  : t`no price, usage is rejected`
                : priceText(cost, enough)}
            </Typography>
          );
        })}
      </ul>
      {hidden > 0 && (
        <Typography variant="caption" color="textSecondary">
          {plural(hidden, { other: `and ${left} more` })}
        </Typography>
      )}
    </Column>
  );
}

const MOST = 50;

/** Key-value pairs delivered to the application with the license. */
function MetadataFields(props: FieldProps<Draft, "metadata">) {
  const { value: pairs, set, message } = useField(props);
  const change = (index: number, pair: Partial<(typeof pairs)[number]>) =>
    set(pairs.map((item, at) => (at === index ? { ...item, ...pair } : item)));
  return (
    <Column gap="m" role="group" aria-label={t`Metadata`}>
      <div>
        <Typography variant="subtitle1" component="p">{t`Metadata`}</Typography>
        <Muted>{t`Key-value pairs that your application can read from the license.`}</Muted>
      </div>
      {pairs.map((pair, index) => (
        <Row key={index} gap="s">
          <TextField
            label={t`Name ${{ place: String(index + 1) }}`}
            value={pair.name}
            autoComplete="off"
            error={message !== undefined && !pair.name.trim()}
            slotProps={{ htmlInput: { maxLength: 100 } }}
            onChange={(event) => change(index, { name: event.target.value })}
            className={styles.name}
          />
          <TextField
            label={t`Value ${{ place: String(index + 1) }}`}
            value={pair.value}
            autoComplete="off"
            slotProps={{ htmlInput: { maxLength: 1000 } }}
            onChange={(event) => change(index, { value: event.target.value })}
            className={styles.value}
          />
          <IconButton
            aria-label={t`Remove entry ${{ place: String(index + 1) }}`}
            onClick={() => set(pairs.toSpliced(index, 1))}
          >
            <DeleteIcon />
          </IconButton>
        </Row>
      ))}
      {message !== undefined && <FormHelperText error>{message}</FormHelperText>}
      <Row>
        <Button
          size="small"
          startIcon={<AddIcon />}
          disabled={pairs.length >= MOST}
          onClick={() => set([...pairs, { name: "", value: "" }])}
        >
          {t`Add entry`}
        </Button>
      </Row>
    </Column>
  );
}
