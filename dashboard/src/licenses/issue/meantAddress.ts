import { slipsBetween } from "../../ui/slips";

/** Where many people have their mail. */
const COMMON = [
  "aol.com",
  "gmail.com",
  "gmx.de",
  "gmx.net",
  "googlemail.com",
  "hotmail.com",
  "icloud.com",
  "outlook.com",
  "outlook.de",
  "proton.me",
  "protonmail.com",
  "t-online.de",
  "web.de",
  "yahoo.com",
  "yahoo.de",
];

const LONG = 9;

/** How many letters of it may be wrong; of a short one a single letter makes another word. */
const slipsIn = (word: string): number => (word.length >= LONG ? 2 : 1);

const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);

/** The one that differs least from what was typed, if it can be a slip. */
function nearest(typed: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((word) => [slipsBetween(typed, word), word] as const)
    .filter(([slips]) => slips <= slipsIn(typed))
    .toSorted(([one], [other]) => one - other);
  return best?.[1];
}

/**
 * The address that was meant, where nobody is known by the typed one: that of a customer which is
 * almost the same, else the same name at a common domain or at that of a known address.
 */
export function meantAddress(typed: string, known: readonly string[]): string | undefined {
  const address = typed.toLowerCase();
  if (known.includes(address)) return undefined;
  const same = nearest(address, known);
  const domain = domainOf(address);
  const domains = [...known.map(domainOf), ...COMMON];
  if (domains.includes(domain)) {
    // Colleagues have addresses that differ by a letter or two.
    return same !== undefined && slipsBetween(address, same) === 1 ? same : undefined;
  }
  if (same !== undefined) return same;
  const near = nearest(domain, domains);
  return near && `${address.slice(0, -domain.length)}${near}`;
}
