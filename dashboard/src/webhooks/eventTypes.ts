import { eventWords } from "../ui/events";

/** All event kinds, including future ones. */
export const ALL = "*";

interface Family {
  /** Prefix of its event kinds. */
  name: string;
  label: string;
  /** The event kinds with a description of each. */
  kinds: readonly (readonly [kind: string, tells: string])[];
}

/** The event kinds that webhooks can receive; the audit log has more. */
export const FAMILIES: readonly Family[] = [
  {
    name: "license",
    label: "Licenses",
    kinds: [
      ["license.created", "A license was issued."],
      ["license.updated", "Its name, limits or other terms were changed."],
      ["license.renewed", "Its term was extended."],
      ["license.expiring", "It expires soon; sent on the reminder days of the institution."],
      ["license.expired", "It has expired."],
      ["license.revoked", "It was permanently revoked."],
      ["license.suspended", "It was suspended."],
      ["license.reinstated", "A suspended license works again."],
      ["license.converted", "A trial was converted to another model."],
      ["license.deleted", "It was deleted with its devices."],
    ],
  },
  {
    name: "activation",
    label: "Devices",
    kinds: [
      ["activation.created", "A device uses the license for the first time."],
      ["activation.pending", "A device is waiting for approval."],
      ["activation.approved", "A pending device was approved."],
      ["activation.blocked", "A device was blocked."],
      ["activation.unblocked", "A blocked device was unblocked."],
      ["activation.deleted", "A device was removed and its seat freed."],
      ["activation.limit_reached", "A device was rejected because all seats are in use."],
    ],
  },
  {
    name: "session",
    label: "Live sessions",
    kinds: [
      ["session.started", "An application connected."],
      ["session.ended", "A session ended, with the reason."],
      ["session.limit_reached", "An application was rejected because all seats are in use."],
    ],
  },
  {
    name: "meter",
    label: "Balances",
    kinds: [
      ["meter.granted", "Credits or uses were granted."],
      ["meter.adjusted", "A balance was adjusted."],
      ["meter.low_balance", "A balance reached its threshold."],
      ["meter.depleted", "A balance is used up."],
    ],
  },
  {
    name: "access_attempt",
    label: "Access attempts",
    kinds: [["access_attempt.detected", "Another machine tried to use a node-locked license."]],
  },
  {
    name: "release",
    label: "Releases",
    kinds: [["release.published", "A release was published."]],
  },
  {
    name: "product",
    label: "Products",
    kinds: [["product.keys_rotated", "The RSA keys of a product were rotated."]],
  },
  {
    name: "member",
    label: "Team",
    kinds: [
      ["member.invited", "A person was invited."],
      ["member.joined", "A person accepted an invitation."],
      ["member.removed", "A member left or was removed."],
    ],
  },
];

const patternOf = (family: Family): string => `${family.name}.*`;

/** How much of a family is selected. */
export function selectionOf(chosen: readonly string[], family: Family): "all" | "some" | "none" {
  if (chosen.includes(patternOf(family))) return "all";
  return family.kinds.some(([kind]) => chosen.includes(kind)) ? "some" : "none";
}

export const isChosen = (chosen: readonly string[], family: Family, kind: string): boolean =>
  chosen.includes(patternOf(family)) || chosen.includes(kind);

const without = (chosen: readonly string[], family: Family): string[] =>
  chosen.filter((name) => !name.startsWith(`${family.name}.`));

/** Selects a whole family, including kinds added in the future, or deselects it. */
export const withFamily = (chosen: readonly string[], family: Family, wanted: boolean): string[] =>
  wanted ? [...without(chosen, family), patternOf(family)] : without(chosen, family);

/** Selects or deselects one kind; if the whole family was selected, its other kinds stay. */
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

/** A summary of the selection: "Licenses, Balances and 3 events". */
export function summaryOf(chosen: readonly string[]): string {
  if (chosen.includes(ALL)) return "All events";
  const families = chosen.flatMap((name) => LABELS.get(name) ?? []);
  const kinds = chosen.filter((name) => !LABELS.has(name));
  const others = kinds.length > 1 ? [`${String(kinds.length)} events`] : kinds.map(eventWords);
  return new Intl.ListFormat("en").format([...families, ...others]);
}
