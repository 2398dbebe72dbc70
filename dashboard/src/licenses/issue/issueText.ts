import { plural, select, t } from "@lingui/core/macro";
import type { LicenseType } from "../../api/types";
import { date, number } from "../../ui/formats";
import { MODEL_TRAITS } from "../../ui/models";

/** The terms that the summary tells in words. */
export interface SummaryTerms {
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
        one: `A concurrent license of ${product} for ${count} device`,
        other: `A concurrent license of ${product} for ${count} devices`,
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
  NodeLocked: ({ product }) => t`A node-locked license of ${product} for one machine`,
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
export function sentenceOf(terms: SummaryTerms): string {
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
    ? plural(seats, { other: `It runs on any machine, up to ${count} at the same time.` })
    : t`It runs on any machine.`;
}

/** What the license does, and when it stops. */
const BEHAVIOR: Record<LicenseType, Words> = {
  Perpetual: ({ credentials }) =>
    credentials
      ? t`It runs on any number of machines, with the username and password.`
      : t`It runs on any number of machines.`,
  Trial: () => t`After that it stops working unless you extend it or convert it to a paid license.`,
  Subscription: () => t`Each renewal extends it.`,
  Floating: runsText,
  Concurrent: () => t`A device keeps its seat until it is deactivated.`,
  NodeLocked: ({ approval }) =>
    approval
      ? t`It works on the first machine that you approve.`
      : t`It works on the first machine that validates.`,
  MeteredToken: () =>
    t`At zero credits it stays valid, but its features stop working until you grant more.`,
  MeteredCount: () =>
    t`At zero uses it stays valid, but its features stop working until you grant more.`,
};

/** What comes with it, in a sentence or two. */
export function consequenceOf(terms: SummaryTerms): string {
  const behavior = BEHAVIOR[terms.type](terms);
  return terms.offline
    ? `${behavior} ${t`license.bin is sufficient; no connection to the server is needed.`}`
    : behavior;
}
