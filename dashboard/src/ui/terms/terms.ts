import { t } from "@lingui/core/macro";
import type { License, LicenseType, Schemas } from "../../api/types";
import { date } from "../formats";
import { hasDevices, MODEL_TRAITS } from "../models";
import { amountText, daysText } from "../quantities";

type Policy = Schemas["Policy"];

/** How a value is read into a form, sent, and said. */
interface Kind<Value> {
  /** As a form has it; empty for none. */
  text: (value: Value) => string;
  value: (text: string) => Value;
  words: (value: Value) => string;
  /** What can be chosen, given what is; numbers are typed. */
  choices?: (present: string) => readonly string[];
}

/** Where forms ask for it: each place shows the terms of one group. */
export type Group = "grace" | "fallback" | "away" | "modes" | "devices";

/** A term of licenses and policies, for forms, details, comparisons and the audit log. */
interface Term<Value> {
  kind: Kind<Value>;
  group: Group;
  label: string;
  /** The label of the field, where it depends on the model or says more. */
  asked?: (type: LicenseType) => string;
  help: string | ((type: LicenseType) => string);
  /** The models that have it; all, if it names none. */
  isOf?: (type: LicenseType) => boolean;
  /** What a license has where nothing was said. */
  usual: Value;
  /** A policy may leave it to the license: the label of that, where it is chosen. */
  open?: string;
  /** Asked for only while another field is not this text. */
  unless?: readonly [field: string, text: string];
  /** Whether it shares a line with others of its group. */
  isHalf?: true;
  /** What is demanded of the input beside what the server does. */
  demand?: (type: LicenseType) => Demand;
  /** What the details show, or nothing; without it, each value that is not the usual one. */
  fact?: (license: License) => string | null;
}

interface Demand {
  required?: boolean;
  minimum: number;
  maximum?: number;
  isWhole?: boolean;
  step?: number | "any";
}

const chosen = <Value extends string>(words: Record<Value, string>): Kind<Value> => ({
  text: (value) => value,
  value: (text) => text as Value,
  words: (value) => words[value],
  choices: () => Object.keys(words),
});

/** A number for which nothing typed is 0. */
const COUNT: Kind<number> = {
  text: (value) => (value === 0 ? "" : String(value)),
  value: Number,
  words: String,
};

/** Days, of which nothing typed is 0. */
const DAYS: Kind<number> = { ...COUNT, words: daysText };

/** A number that may be missing. */
const LIMIT: Kind<number | null> = {
  text: (value) => String(value ?? ""),
  value: (text) => (text.trim() === "" ? null : Number(text)),
  words: (value) => String(value ?? ""),
};

const MATCHES = ["Exact", "2/3", "3/4", "3/5", "4/5", "4/6", "5/6", "5/7", "5/8", "6/8"];

/** How a device is recognized: `3/5` for at least 3 of 5 components. */
const MATCH: Kind<License["machineMatch"]> = {
  text: (match) => (match === "Exact" ? match : `${match.atLeast}/${match.of}`),
  value: (text) => {
    const [atLeast, of] = text.split("/").map(Number);
    return atLeast && of ? { atLeast, of } : "Exact";
  },
  words: (match) => {
    if (match === "Exact") return t`Exact: by the hardware ID alone`;
    const { atLeast, of } = match;
    return t`Also by ${atLeast} of ${of} components`;
  },
  choices: (present) => [...new Set([...MATCHES, ...(present ? [present] : [])])],
};

const FALLBACK = chosen<Schemas["Fallback"]>({
  None: t`Nothing: the license ends`,
  ReleaseAtTermEnd: t`Releases until the end of the term`,
  ReleaseAtTermStart: t`Releases until the start of the term`,
});
const MODE = chosen<Schemas["ActivationMode"]>({
  Online: t`Online: applications check with the server`,
  Offline: t`Works offline with license.bin`,
});
const BINDING = chosen<Schemas["DeviceBindingMode"]>({
  AutoBind: t`Auto-bind: the first device that validates`,
  OwnerApproval: t`Product owner approval: the device you approve`,
});
const UNRETURNED = chosen<Schemas["OnUnreturned"]>({
  Charge: t`Charged, as if it had been used`,
  Refund: t`Returned to the balance`,
});

const meterOf = (type: LicenseType) => MODEL_TRAITS[type].meter;
const isOffline = (type: LicenseType) => MODEL_TRAITS[type].offline;
const isMetered = (type: LicenseType) => meterOf(type) !== null;
const hasSessions = (type: LicenseType) => MODEL_TRAITS[type].seats === "sessions";
const isPaidFor = (type: LicenseType) => type !== "Trial";

/** What a license keeps after its term. */
function fallbackText({ fallback, fallbackUntil, fallbackAfterMonths }: License): string | null {
  if (fallback === "None") return null;
  if (fallbackUntil !== null) return t`Releases until ${{ day: date(fallbackUntil) }}`;
  const words = FALLBACK.words(fallback);
  return t`${words}, after ${fallbackAfterMonths} paid months`;
}

/** The terms that forms ask for one by one, in their order. A new one needs no more than a line here. */
const TERMS = {
  graceDays: {
    kind: DAYS,
    group: "grace",
    label: t`Grace period`,
    asked: () => t`Grace in days`,
    help: t`How long a license stays active after its term, for a payment that arrives late.`,
    usual: 0,
    demand: () => ({ minimum: 0 }),
  },
  fallback: {
    kind: FALLBACK,
    group: "fallback",
    isHalf: true,
    label: t`Kept after the term`,
    asked: () => t`After the term the customer keeps`,
    help: t`Released versions that go on working without a renewal.`,
    isOf: isPaidFor,
    usual: "None",
    fact: fallbackText,
  },
  fallbackAfterMonths: {
    kind: { ...COUNT, text: String },
    group: "fallback",
    isHalf: true,
    label: t`Months to be paid for`,
    help: t`In a row, before anything is kept.`,
    isOf: isPaidFor,
    usual: 12,
    unless: ["fallback", "None"],
    demand: () => ({ required: true, minimum: 0, maximum: 120 }),
    fact: () => null,
  },
  activationMode: {
    kind: MODE,
    group: "modes",
    label: t`Activation mode`,
    help: "",
    isOf: isOffline,
    usual: "Online",
    open: t`Default of the model`,
    fact: ({ activationMode }) => MODE.words(activationMode),
  },
  deviceBindingMode: {
    kind: BINDING,
    group: "modes",
    label: t`Device binding mode`,
    help: "",
    isOf: (type) => MODEL_TRAITS[type].binding,
    usual: "AutoBind",
    open: t`Default of the model`,
    fact: ({ deviceBindingMode: mode }) => mode && BINDING.words(mode),
  },
  offlineActivation: {
    kind: chosen<Schemas["OfflineActivation"]>({
      Off: t`Off: only your team answers requests`,
      SelfService: t`Self-service: customers get answers at the Offline desk`,
      Approval: t`Approval: customers submit requests, and you approve them`,
    }),
    group: "devices",
    label: t`Offline activation`,
    help: t`For machines without a network, which make requests as a file or a QR code.`,
    isOf: isOffline,
    usual: "Off",
    open: t`Off, unless a license says otherwise`,
  },
  deviceProof: {
    kind: chosen<Schemas["DeviceProof"]>({
      Off: t`Off: another key is only recorded`,
      WhenPresent: t`When present: devices that have proven a key`,
      Required: t`Required: all devices, so none with an older SDK`,
    }),
    group: "devices",
    label: t`Proof of device keys`,
    help: t`Devices sign their requests, so a copied hardware ID or session is useless elsewhere.`,
    usual: "Off",
    open: t`Off, unless a license says otherwise`,
  },
  machineMatch: {
    kind: MATCH,
    group: "devices",
    label: t`Recognition of devices`,
    help: t`A device whose hardware ID changes keeps its seat if enough of its components stay the same.`,
    isOf: (type) => hasDevices(MODEL_TRAITS[type]),
    usual: "Exact",
    open: t`Exact, unless a license says otherwise`,
  },
  onClone: {
    kind: chosen<Schemas["OnClone"]>({
      Refuse: t`Is refused`,
      OwnSeat: t`Takes a seat of its own`,
    }),
    group: "devices",
    label: t`A second device with the same hardware ID`,
    help: t`It is known by its key, so devices must prove theirs.`,
    isOf: (type) => MODEL_TRAITS[type].seats === "devices",
    usual: "Refuse",
    open: t`Refused, unless a license says otherwise`,
  },
  maxOfflineCredits: {
    kind: LIMIT,
    group: "away",
    isHalf: true,
    label: t`Reserved at most`,
    asked: (type) =>
      meterOf(type) === "uses" ? t`Reserved uses at most` : t`Reserved credits at most`,
    help: t`How much all devices together may reserve, to spend it without a network. Empty: nothing.`,
    isOf: isMetered,
    usual: null,
    open: "",
    demand: (type) =>
      meterOf(type) === "uses"
        ? { minimum: 1, isWhole: true, step: 1 }
        : { minimum: 0.000001, step: "any" },
    fact: ({ type, maxOfflineCredits: most, maxBorrowDays }) => {
      const meter = meterOf(type);
      if (most === null || meter === null) return null;
      return t`${{ amount: amountText(most, meter) }}, for ${{ days: daysText(maxBorrowDays) }}`;
    },
  },
  maxBorrowDays: {
    kind: DAYS,
    group: "away",
    isHalf: true,
    label: t`Borrowed for at most`,
    asked: (type) =>
      isMetered(type) ? t`Reserved for at most (days)` : t`Borrowed for at most (days)`,
    help: (type) =>
      isMetered(type)
        ? t`How long a device may spend what it reserved. Empty: not at all.`
        : t`For how long a device may use a seat without a network. Empty: not at all.`,
    isOf: (type) => hasSessions(type) || isMetered(type),
    usual: 0,
    open: "",
    demand: () => ({ minimum: 0 }),
    fact: ({ type, maxBorrowDays: days }) => (isMetered(type) || !days ? null : daysText(days)),
  },
  maxBorrowedSeats: {
    kind: LIMIT,
    group: "away",
    isHalf: true,
    label: t`Borrowed seats at most`,
    help: t`How many seats may be borrowed at a time. Empty: all.`,
    isOf: hasSessions,
    usual: null,
    open: "",
  },
  onUnreturned: {
    kind: UNRETURNED,
    group: "away",
    label: t`Reserved, but not reported`,
    help: t`30 days after the end of a reservation whose device has not reported.`,
    isOf: isMetered,
    usual: "Charge",
    open: t`Charged, unless a license says otherwise`,
    unless: ["maxOfflineCredits", ""],
    fact: ({ maxOfflineCredits: most, onUnreturned }) =>
      most === null ? null : UNRETURNED.words(onUnreturned),
  },
} as const satisfies {
  readonly [Name in keyof License]?: Term<NonNullable<License[Name]>> | Term<License[Name]>;
};

export type TermName = keyof typeof TERMS;
/** The terms as forms have them: as typed, or as chosen. */
export type TermDraft = Record<TermName, string>;

export type NamedTerm = readonly [name: TermName, term: Term<unknown>];
const ALL = Object.entries(TERMS) as unknown as readonly NamedTerm[];

const isOf = (term: Term<unknown>, type: LicenseType) => term.isOf?.(type) ?? true;

/** The terms of a model in this group. */
export const termsIn = (type: LicenseType, group: Group) =>
  ALL.filter(([, term]) => term.group === group && isOf(term, type));

const each = (of: (name: TermName, term: Term<unknown>) => unknown) =>
  Object.fromEntries(ALL.map(([name, term]) => [name, of(name, term)]));

type Values = Readonly<Partial<Record<TermName, unknown>>>;

/** The terms of a license, or of one under a policy; what nothing says is as usual. */
export const licenseTerms = (item: Values = {}): TermDraft =>
  each((name, { kind, usual }) => kind.text(item[name] ?? usual)) as TermDraft;

/** What a license of this model sends of them. */
export const termsOfLicense = (type: LicenseType, draft: TermDraft) =>
  Object.fromEntries(
    ALL.filter(([, term]) => isOf(term, type)).map(([name, { kind }]) => [
      name,
      kind.value(draft[name]),
    ]),
  ) as Pick<Schemas["LicenseChange"], TermName>;

/** The terms of a policy; empty is what it leaves to the license, where it may. */
export const policyTerms = (policy?: Values): TermDraft =>
  each((name, { kind, usual, open }) => {
    const value = policy?.[name] ?? null;
    if (open === undefined) return kind.text(value ?? usual);
    // A policy that says 0 is not one that says nothing.
    return value === null ? "" : typeof value === "number" ? String(value) : kind.text(value);
  }) as TermDraft;

/** What a policy of this model sends of them: null for what it leaves to the license. */
export const termsOfPolicy = (type: LicenseType, draft: TermDraft) =>
  each((name, term) => {
    const { kind, usual, open } = term;
    const text = isOf(term, type) ? draft[name] : "";
    if (open !== undefined) return text === "" ? null : kind.value(text);
    return text === "" ? usual : kind.value(text);
  }) as Pick<Policy, TermName>;

/** What the details of a license say of its terms in these groups. */
export const termFacts = (license: License, groups: readonly Group[]) =>
  ALL.filter(([, { group }]) => groups.includes(group))
    .map(([name, term]) => [term.label, factOf(license, name, term)] as const)
    .filter(([, words]) => words !== null);

function factOf(license: License, name: TermName, term: Term<unknown>): string | null {
  if (term.fact) return term.fact(license);
  const isUsual = !isOf(term, license.type) || license[name] === term.usual;
  return isUsual ? null : term.kind.words(license[name]);
}

/** A value of a term in words; of anything else nothing. */
export const termWords = (name: string, value: unknown): string | undefined =>
  name in TERMS && value !== null && value !== undefined
    ? (TERMS[name as TermName] as unknown as Term<unknown>).kind.words(value)
    : undefined;

export const TERM_LABELS = each((_, { label }) => label) as Record<TermName, string>;
