import { plural, t } from "@lingui/core/macro";
import { endOfDay } from "../../ui/days";
import { entryText } from "../../ui/featureValues";
import { dateTime, number } from "../../ui/formats";
import { MODEL_TRAITS } from "../../ui/models";
import { ownTextFactsOf } from "../ownTexts";
import { useCustomerNames } from "../termFields";
import { missingOf } from "./checks";
import { useEntitlementSets } from "./EntitlementField";
import styles from "./issue.module.css";
import { isMailed, suggestedName, type Draft } from "./issueDraft";
import { consequenceOf, sentenceOf, type SummaryTerms } from "./issueText";
import { defaultRelease, usePolicies, useReleases } from "./ProductSection";
import type { IssueForm } from "./useIssueForm";

type Fact = readonly [name: string, value: string];

const given = (name: string, value: string | undefined | false): Fact[] =>
  value ? [[name, value]] : [];

function useTerms(form: IssueForm): SummaryTerms | null {
  const { draft, product, isAutomatic } = form;
  const nameOf = useCustomerNames(product);
  if (!draft.type || !product) return null;
  return {
    type: draft.type,
    product: product.name,
    institution: draft.customerInstitutionId && nameOf(draft.customerInstitutionId),
    issuedTo: draft.issuedTo.trim(),
    isMailed: isMailed(draft, isAutomatic),
    end: endOfDay(draft.expirationDate),
    term: draft.policyTerm,
    seats: Number(draft.maxActiveUsersCount),
    balance: Number(draft.initialMeterBalance),
    approval: draft.deviceBindingMode === "OwnerApproval",
    offline: MODEL_TRAITS[draft.type].offline && draft.activationMode === "Offline",
    credentials: Boolean(draft.username),
  };
}

function featuresIn({ featureValues }: Draft, setName: string | undefined, form: IssueForm) {
  const own = featureValues.map(([name, typed]) =>
    entryText(name, form.kinds.get(name) === "Flag" || typed),
  );
  const base = setName ?? t`Not restricted`;
  return own.length > 0 ? t`${{ features: base }}, and ${{ values: own.join(", ") }}` : base;
}

function lengthText({ length }: string): string {
  const count = number(length);
  return plural(length, { other: `${count} characters` });
}

function useFacts(form: IssueForm): Fact[] {
  const { draft, product, isAutomatic } = form;
  const { releases } = useReleases(draft.productId);
  const set = useEntitlementSets(draft.productId).find(({ id }) => id === draft.entitlementSetId);
  const policy = usePolicies(draft.productId).find(({ id }) => id === draft.policyId);
  const release = releases.find(({ id }) => id === draft.softwareReleaseId);
  const end = endOfDay(draft.expirationDate);
  const pairs = draft.metadata.filter(({ name }) => name.trim());
  return [
    [
      t`License name`,
      draft.licenseName.trim() ||
        (draft.policyId ? t`Named by the policy` : suggestedName(draft, product)),
    ],
    ...given(t`Policy`, policy?.name),
    ...given(
      t`Release`,
      release ? `${release.version} ${release.channel}` : defaultRelease(releases, product),
    ),
    [t`Expires`, end ? dateTime(end) : draft.policyTerm || t`Never`],
    [t`Email`, isMailed(draft, isAutomatic) ? t`Sent when the license is issued` : t`Not sent`],
    ...ownTextFactsOf(draft).flatMap(([name, value]) => given(name, value)),
    [t`Features`, featuresIn(draft, set?.name, form)],
    ...given(t`Metadata`, pairs.map(({ name, value }) => `${name} = ${value}`).join(", ")),
    ...given(t`Tags`, draft.tags.join(", ")),
    ...given(t`Notes`, draft.notes && lengthText(draft.notes)),
    ...given(t`License key`, draft.licenseKey.trim()),
  ];
}

/** What the sentence leaves out, once there is a product and a model. */
export function SummaryFacts({ form }: { form: IssueForm }) {
  const facts = useFacts(form);
  if (!form.draft.type || !form.product) return null;
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The license in plain words, as it would be issued now. */
export function Summary({ form }: { form: IssueForm }) {
  const terms = useTerms(form);
  const missing = missingOf(form.draft, form);
  return (
    <div className={styles.summary}>
      {terms ? (
        <>
          <p className={styles.sentence}>{sentenceOf(terms)}</p>
          <p className={styles.note}>{consequenceOf(terms)}</p>
        </>
      ) : (
        <p className={styles.note}>
          {t`Choose a product and a model. A summary of what you are about to issue then appears here.`}
        </p>
      )}
      {missing.length > 0 && (
        <p className={styles.missing}>{t`Still needed: ${{ fields: missing.join(", ") }}.`}</p>
      )}
    </div>
  );
}
