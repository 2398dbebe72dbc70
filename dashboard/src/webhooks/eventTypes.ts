import { plural, t } from "@lingui/core/macro";
import type { Schemas } from "../api/types";
import { eventWords } from "../ui/events";
import { list } from "../ui/formats";
import { DESCRIPTIONS } from "./deliveredKinds";

export type EventType = Schemas["WebhookEventType"];

/** All event kinds, including future ones. */
export const ALL = "*" as const;

type Pattern = Extract<EventType, `${string}.*`>;
/** The event kinds that webhooks can receive, besides the test. */
type DeliveredKind = keyof typeof DESCRIPTIONS;
type FamilyName<Kind = DeliveredKind> = Kind extends `${infer Name}.${string}` ? Name : never;

const LABELS_OF_FAMILIES: Record<FamilyName, string> = {
  license: t`Licenses`,
  activation: t`Devices`,
  enrollment_key: t`Deployment keys`,
  session: t`Live sessions`,
  lease: t`Borrowed seats and reserved credits`,
  meter: t`Balances`,
  access_attempt: t`Access attempts`,
  release: t`Releases`,
  product: t`Products`,
  member: t`Team`,
  customer: t`Customers`,
  order: t`Orders`,
  association: t`Associations`,
};

interface Family {
  /** Prefix of its event kinds. */
  name: FamilyName;
  label: string;
  /** The event kinds with a description of each. */
  kinds: readonly (readonly [kind: DeliveredKind, description: string])[];
}

const KINDS = Object.entries(DESCRIPTIONS) as [DeliveredKind, string][];

export const FAMILIES = Object.entries(LABELS_OF_FAMILIES).map(([name, label]): Family => ({
  name: name as FamilyName,
  label,
  kinds: KINDS.filter(([kind]) => kind.startsWith(`${name}.`)),
}));

const patternOf = (family: Family): Pattern => `${family.name}.*` as const;

/** How much of a family is selected. */
export function selectionOf(chosen: readonly EventType[], family: Family): "all" | "some" | "none" {
  if (chosen.includes(patternOf(family))) return "all";
  return family.kinds.some(([kind]) => chosen.includes(kind)) ? "some" : "none";
}

export const isChosen = (
  chosen: readonly EventType[],
  family: Family,
  kind: DeliveredKind,
): boolean => chosen.includes(patternOf(family)) || chosen.includes(kind);

const without = (chosen: readonly EventType[], family: Family): EventType[] =>
  chosen.filter((name) => !name.startsWith(`${family.name}.`));

/** Selects a whole family, including kinds added in the future, or deselects it. */
export const withFamily = (
  chosen: readonly EventType[],
  family: Family,
  wanted: boolean,
): EventType[] =>
  wanted ? [...without(chosen, family), patternOf(family)] : without(chosen, family);

/** Selects or deselects one kind; if the whole family was selected, its other kinds stay. */
export function withKind(
  chosen: readonly EventType[],
  family: Family,
  kind: DeliveredKind,
  wanted: boolean,
): EventType[] {
  const kept = family.kinds
    .map(([name]) => name)
    .filter((name) => (name === kind ? wanted : isChosen(chosen, family, name)));
  return [...without(chosen, family), ...kept];
}

const LABELS = new Map<string, string>(FAMILIES.map((family) => [patternOf(family), family.label]));

const eventsText = (count: number) => plural(count, { one: "# event", other: "# events" });

/** A summary of the selection: "Licenses, Balances and 3 events". */
export function summaryOf(chosen: readonly string[]): string {
  if (chosen.includes(ALL)) return t`All events`;
  const families = chosen.flatMap((name) => LABELS.get(name) ?? []);
  const kinds = chosen.filter((name) => !LABELS.has(name));
  const others = kinds.length > 1 ? [eventsText(kinds.length)] : kinds.map(eventWords);
  return list([...families, ...others]);
}
