import { store, stored } from "../../ui/useStored";
import type { Offer } from "./found";

const SHOWN = 5;

type Uses = Partial<Record<string, number>>;

const uses = (): Uses => stored<Uses>("paletteUses", {});

/** Counts that a page or an action was chosen. */
export function countUse({ key }: Offer): void {
  const counted = uses();
  store("paletteUses", { ...counted, [key]: (counted[key] ?? 0) + 1 });
}

/** What was chosen most, of what is always there; before anything was, its first ones. */
export function mostUsed(offers: readonly Offer[]): Offer[] {
  const counted = uses();
  return offers
    .toSorted((one, other) => (counted[other.key] ?? 0) - (counted[one.key] ?? 0))
    .slice(0, SHOWN);
}
