import { eventWords } from "../ui/events";

/** All kinds of events, those to come too. */
export const ALL = "*";

interface Family {
  /** As its kinds begin. */
  name: string;
  label: string;
  /** The kinds with what each tells. */
  kinds: readonly (readonly [kind: string, tells: string])[];
}

/** What can be sent to webhooks; what the audit log holds beyond that never leaves. */
export const FAMILIES: readonly Family[] = [
  {
    name: "license",
    label: "Licenses",
    kinds: [
      ["license.created", "A license was issued."],
      ["license.updated", "Its name, limits or other terms were changed."],
      ["license.renewed", "Its term was extended."],
      ["license.expiring", "Its term ends soon, on the days that the institution set."],
      ["license.expired", "Its term has ended."],
      ["license.revoked", "It was taken back for good."],
      ["license.suspended", "It was stopped for a while."],
      ["license.reinstated", "A stopped one works again."],
      ["license.converted", "It became a license of another model."],
      ["license.deleted", "It was deleted with its devices."],
    ],
  },
  {
    name: "activation",
    label: "Devices",
    kinds: [
      ["activation.created", "A device uses a license for the first time."],
      ["activation.pending", "A device waits for approval."],
      ["activation.approved", "A device that waited may use the license."],
      ["activation.blocked", "A device may not use the license any more."],
      ["activation.unblocked", "A blocked device may use it again."],
      ["activation.deleted", "A device gave its seat back."],
      ["activation.limit_reached", "A device was refused, since all seats are taken."],
    ],
  },
  {
    name: "session",
    label: "Live sessions",
    kinds: [
      ["session.started", "An application took a seat."],
      ["session.ended", "A seat is free again, and why."],
      ["session.limit_reached", "An application was refused, since all seats are in use."],
    ],
  },
  {
    name: "meter",
    label: "Balances",
    kinds: [
      ["meter.granted", "Credits or uses were added."],
      ["meter.adjusted", "Somebody corrected a balance."],
      ["meter.low_balance", "A balance fell to its threshold."],
      ["meter.depleted", "A balance is used up."],
    ],
  },
  {
    name: "access_attempt",
    label: "Access attempts",
    kinds: [["access_attempt.detected", "A foreign machine tried to use a node-locked license."]],
  },
  {
    name: "release",
    label: "Releases",
    kinds: [["release.published", "A release can be downloaded."]],
  },
  {
    name: "product",
    label: "Products",
    kinds: [["product.keys_rotated", "A product signs with new RSA keys."]],
  },
  {
    name: "member",
    label: "Team",
    kinds: [
      ["member.invited", "Somebody was invited."],
      ["member.joined", "Somebody accepted an invitation."],
      ["member.removed", "Somebody belongs to the institution no longer."],
    ],
  },
];

const patternOf = (family: Family): string => `${family.name}.*`;

/** How much of a family is chosen. */
export function extentOf(chosen: readonly string[], family: Family): "all" | "some" | "none" {
  if (chosen.includes(patternOf(family))) return "all";
  return family.kinds.some(([kind]) => chosen.includes(kind)) ? "some" : "none";
}

export const isChosen = (chosen: readonly string[], family: Family, kind: string): boolean =>
  chosen.includes(patternOf(family)) || chosen.includes(kind);

const without = (chosen: readonly string[], family: Family): string[] =>
  chosen.filter((name) => !name.startsWith(`${family.name}.`));

/** With all of a family, also what later releases add to it; or with nothing of it. */
export const withFamily = (chosen: readonly string[], family: Family, wanted: boolean): string[] =>
  wanted ? [...without(chosen, family), patternOf(family)] : without(chosen, family);

/** With or without one kind; where the whole family was chosen, its other kinds stay. */
export function withKind(
  chosen: readonly string[],
  family: Family,
  kind: string,
  wanted: boolean,
): string[] {
  const kept = family.kinds
    .map(([name]) => name)
    .filter((name) => (name === kind ? wanted : isChosen(chosen, family, name)));
  return [...without(chosen, family), ...kept];
}

const LABELS = new Map(FAMILIES.map((family) => [patternOf(family), family.label]));

/** The choice in a few words: "Licenses, Balances and 3 kinds". */
export function summaryOf(chosen: readonly string[]): string {
  if (chosen.includes(ALL)) return "All events";
  const families = chosen.flatMap((name) => LABELS.get(name) ?? []);
  const kinds = chosen.filter((name) => !LABELS.has(name));
  const others = kinds.length > 1 ? [`${String(kinds.length)} kinds`] : kinds.map(eventWords);
  return new Intl.ListFormat("en").format([...families, ...others]);
}
