import { t } from "@lingui/core/macro";
import type { Schemas } from "../../api/types";
import { folded } from "../../ui/folded";
import type { Icon } from "../../ui/icons";
import type { Tone } from "../../ui/status";
import { isMeant } from "./typos";

/** A thing that something can be done to; a device, a session and an order are known by their hit. */
export type Thing = Pick<Schemas["SearchHit"], "id" | "licenseId" | "status" | "title"> & {
  kind: "License" | "Customer" | "Product" | "Device" | "Session" | "Order";
};

/** Something that the palette offers: a page, an action, or a thing of the service. */
export interface Offer {
  /** Unique, and kept for recent things. */
  key: string;
  label: string;
  /** What tells it from others of its name: a product, an address, a status. */
  detail?: string;
  /** What kind of thing it is: "License"; see `kindWords`. */
  kind: string;
  /** Of a license, a release, a device or a session. */
  status?: string;
  /** What is said in place of the status, where more is known. */
  verdict?: { label?: string; tone?: Tone };
  icon: Icon;
  /** In place of the icon, the emblem of the product or person of this name. */
  emblem?: { kind: "product" | "person"; name: string };
  /** Where it leads, or what it does. */
  to: string | (() => void);
  /** What is typed by choosing it, in place of where it leads: "Extend ". */
  types?: string;
  /** The thing that it is, if Tab shows what can be done to it. */
  thing?: Thing;
  /** Whether it ends something. */
  isGrave?: true;
  /** Other words that it is looked for by. */
  words?: string;
}

export interface Section {
  title: string;
  offers: Offer[];
  /** Whether they are of several kinds, which the title does not say. */
  isMixed?: true;
}

const KINDS: Partial<Record<string, string>> = {
  Page: t`Page`,
  Action: t`Action`,
  Help: t`Help`,
  License: t`License`,
  Customer: t`Customer`,
  Product: t`Product`,
  Order: t`Order`,
  Device: t`Device`,
  Session: t`Session`,
  Release: t`Release`,
  Member: t`Member`,
  Webhook: t`Webhook`,
  Connector: t`Connector`,
  Setting: t`Setting`,
};

/** A kind as it is shown. */
export const kindWords = (kind: string): string => KINDS[kind] ?? kind;

const parts = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/**
 * How well an offer fits what was typed, by the beginnings of its words: 0 does not, more is better.
 * What is called so always comes before what is only looked for by such a word.
 */
function scoreOf(offer: Offer, typed: string, withSlips: boolean): number {
  const label = folded(offer.label);
  const shown = parts(label);
  const others = parts(
    [offer.words, offer.detail, kindWords(offer.kind)].filter(Boolean).join(" "),
  );
  let score = 0;
  for (const word of parts(typed)) {
    if (label.startsWith(word)) score += 4;
    else if (shown.some((one) => one.startsWith(word))) score += 3;
    else if (others.some((one) => one.startsWith(word))) score += 1;
    else if (withSlips && [...shown, ...others].some((one) => isMeant(word, one))) score += 0.5;
    else return 0;
  }
  // Of two that fit equally, what is called so and little more.
  return score && score + 1 / (1 + label.length);
}

/** How well the best offer of a section is called what was typed: 0 is exactly so. */
function distanceOf({ offers: [best] }: Section, typed: string): number {
  const [label, text] = [folded(best?.label ?? ""), folded(typed)];
  if (label === text) return 0;
  if (label.startsWith(text)) return 1;
  return isInTitle(label, text) ? 2 : 3;
}

/** Sections in which things are called so before those in which these are only looked for so. */
export const bestFirst = (sections: readonly Section[], typed: string): Section[] =>
  sections.toSorted((one, other) => distanceOf(one, typed) - distanceOf(other, typed));

/** Whether what was typed is no more than the beginnings of words of a title. */
export function isInTitle(title: string, typed: string): boolean {
  const words = parts(title);
  return parts(typed).every((word) => words.some((one) => one.startsWith(word)));
}

/** Whether what was typed is whole words: "logo" of what is looked for by "logo", not by "logout". */
export function isSpelled(offer: Offer, typed: string): boolean {
  const all = parts([offer.label, offer.words].join(" "));
  return parts(typed).every((word) => all.includes(word));
}

/** Whether some of what was typed only begins another word that the offer is looked for by. */
export function isByChance(offer: Offer, typed: string): boolean {
  const shown = parts([offer.label, offer.detail, kindWords(offer.kind)].join(" "));
  const others = parts(offer.words ?? "");
  return parts(typed).some(
    (word) => !others.includes(word) && !shown.some((one) => one.startsWith(word)),
  );
}

/** The offers that are called so, best first. */
export const fitting = <T extends Offer>(offers: readonly T[], typed: string): T[] =>
  inOrder(offers, (offer) => scoreOf(offer, typed, false));

/** The offers that may have been meant by a text with slips, best first. */
export const likely = (offers: readonly Offer[], typed: string): Offer[] =>
  inOrder(offers, (offer) => scoreOf(offer, typed, true));

const inOrder = <T extends Offer>(offers: readonly T[], score: (offer: T) => number): T[] =>
  offers
    .map((offer) => [score(offer), offer] as const)
    .filter(([score]) => score > 0)
    .sort(([one], [other]) => other - one)
    .map(([, offer]) => offer);
