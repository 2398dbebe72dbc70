import { plural, t, select } from "@lingui/core/macro";
import { endOfDay } from "../../ui/days";
import { entryText } from "../../ui/featureValues";
import { number, date } from "../../ui/formats";
import { MODEL_TRAITS } from "../../ui/models";
import { ownTextFactsOf, useCustomerNames } from "../fields";
import { missingOf } from "./checks";
import { useEntitlementSets } from "./EntitlementField";
import styles from "./issue.module.css";
import { isMailed, suggestedName, type Draft } from "./issueDraft";
import { defaultRelease, usePolicies, useReleases } from "./ProductSection";
import type { IssueForm } from "./useIssueForm";
import type { LicenseType } from "../../api/types";

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
  const { draft, product, isAutomatic, customerName } = form;
  const { releases } = useReleases(draft.productId);
  const set = useEntitlementSets(draft.productId).find(({ id }) => id === draft.entitlementSetId);
  const policy = usePolicies(draft.productId).find(({ id }) => id === draft.policyId);
  const release = releases.find(({ id }) => id === draft.softwareReleaseId);
  const end = endOfDay(draft.expirationDate);
  const isEndNeeded = draft.type !== null && MODEL_TRAITS[draft.type].expirationRequired;
  const pairs = draft.metadata.filter(({ name }) => name.trim());
  return [
    [
      t`License name`,
      draft.licenseName.trim() ||
        (draft.policyId ? t`Named by the policy` : suggestedName(draft, customerName)),
    ],
    ...given(t`Policy`, policy?.name),
    ...given(
      t`Release`,
      release ? `${release.version} ${release.channel}` : defaultRelease(releases, product),
    ),
    [t`Expires`, end ? date(end) : draft.policyTerm || (isEndNeeded ? t`Choose a date` : t`Never`)],
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

/** The terms that the summary tells in words. */
interface SummaryTerms {
  type: LicenseType;
  product: string;
  /** The name of the customer institution; empty without one. */
  institution: string;
  issuedTo: string;
  isMailed: boolean;
  end: string | null;
  /** The term that a policy gives, in words; empty without one. */
  term: string;
  seats: number;
  balance: number;
  approval: boolean;
  offline: boolean;
  credentials: boolean;
}

type Words = (terms: SummaryTerms) => string;

function floatingText({ product, seats }: SummaryTerms): string {
  const count = number(seats);
  return seats > 0
    ? plural(seats, {
        one: `A floating license of ${product} for ${count} seat`,
        other: `A floating license of ${product} for ${count} seats`,
      })
    : t`A floating license of ${product}`;
}

function concurrentText({ product, seats }: SummaryTerms): string {
  const count = number(seats);
  return seats > 0
    ? plural(seats, {
        one: `A concurrent license of ${product} for ${count} seat`,
        other: `A concurrent license of ${product} for ${count} seats`,
      })
    : t`A concurrent license of ${product}`;
}

function creditsText({ product, balance }: SummaryTerms): string {
  const count = number(balance);
  return balance > 0
    ? plural(balance, {
        one: `A credit-based license of ${product} with ${count} credit`,
        other: `A credit-based license of ${product} with ${count} credits`,
      })
    : t`A credit-based license of ${product}`;
}

function usesText({ product, balance }: SummaryTerms): string {
  const count = number(balance);
  return balance > 0
    ? plural(balance, {
        one: `A usage-based license of ${product} with ${count} use`,
        other: `A usage-based license of ${product} with ${count} uses`,
      })
    : t`A usage-based license of ${product}`;
}

/** What is issued: the model, the product, and how much of it. */
const LICENSES: Record<LicenseType, Words> = {
  Perpetual: ({ product }) => t`A perpetual license of ${product}`,
  Trial: ({ product }) => t`A trial license of ${product}`,
  Subscription: ({ product }) => t`A subscription license of ${product}`,
  Floating: floatingText,
  Concurrent: concurrentText,
  NodeLocked: ({ product }) => t`A node-locked license of ${product} for one device`,
  MeteredToken: creditsText,
  MeteredCount: usesText,
};

function licenseText(terms: SummaryTerms): string {
  const license = LICENSES[terms.type](terms);
  const { institution } = terms;
  return institution ? t`${license} at ${institution}` : license;
}

function validityOf({ type, end, term }: SummaryTerms) {
  if (end) return "until";
  if (term) return "term";
  return MODEL_TRAITS[type].expirationRequired ? "unknown" : "unlimited";
}

function receiverOf({ type, issuedTo, isMailed }: SummaryTerms) {
  if (issuedTo) return isMailed ? "mailed" : "named";
  return MODEL_TRAITS[type].issuedToRequired ? "unknown" : "anyone";
}

/** The license in a sentence: "A floating license of Aurora for 25 seats, valid until ...". */
function sentenceOf(terms: SummaryTerms): string {
  const license = licenseText(terms);
  const validity = validityOf(terms);
  const receiver = receiverOf(terms);
  const day = terms.end ? date(terms.end) : "";
  const { term, issuedTo } = terms;
  return t`${license}${select(validity, {
    until: `, valid until ${day}`,
    term: `, valid for ${term}`,
    unlimited: ", with no expiration date",
    other: "",
  })}${select(receiver, {
    mailed: `, delivered to ${issuedTo}`,
    named: `, issued to ${issuedTo}`,
    anyone: ", for anyone with the key",
    other: "",
  })}.`;
}

function runsText({ seats }: SummaryTerms): string {
  const count = number(seats);
  return seats > 0
    ? plural(seats, { other: `It runs on any device, up to ${count} at the same time.` })
    : t`It runs on any device.`;
}

/** What the license does, and when it stops. */
const BEHAVIOR: Record<LicenseType, Words> = {
  Perpetual: ({ credentials }) =>
    credentials
      ? t`It runs on any number of devices, with the username and password.`
      : t`It runs on any number of devices.`,
  Trial: () => t`After that it stops working unless you extend it or convert it to a paid license.`,
  Subscription: () => t`Each renewal extends it.`,
  Floating: runsText,
  Concurrent: () => t`A device keeps its seat until it is deactivated.`,
  NodeLocked: ({ approval }) =>
    approval
      ? t`It works on the first device that you approve.`
      : t`It works on the first device that validates.`,
  MeteredToken: () =>
    t`At zero credits it stays valid, but its features stop working until you grant more.`,
  MeteredCount: () =>
    t`At zero uses it stays valid, but its features stop working until you grant more.`,
};

/** What comes with it, in a sentence or two. */
function consequenceOf(terms: SummaryTerms): string {
  const behavior = BEHAVIOR[terms.type](terms);
  return terms.offline
    ? `${behavior} ${t`license.bin is sufficient; no connection to the server is needed.`}`
    : behavior;
}
