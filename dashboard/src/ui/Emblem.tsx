import { serviceUrl } from "../api/address";
import styles from "./emblem.module.css";

/** How many colors `emblem.module.css` has. */
const COLORS = 8;

/**
 * The color of a name, the same on every page and machine, in the dashboard and in the portal: from
 * the upper bits of its FNV-1a hash, in which names that differ at their end differ, too.
 */
function colorOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 24) % COLORS;
}

/** Two letters of a name: of its first and last word, without the host of an address. */
function initialsOf(name: string): string {
  const [first = "", ...others] = name.replace(/@.*/, "").match(/[\p{L}\p{N}]+/gu) ?? [];
  const last = others.at(-1);
  return (last ? first.charAt(0) + last.charAt(0) : first.slice(0, 2)).toUpperCase();
}

type Size = "small" | "medium" | "large";

interface EmblemProps {
  name: string;
  size?: Size;
  /** A picture of its own, in place of the letters. */
  imageUrl?: string | null | undefined;
}

interface LettersProps extends EmblemProps {
  kind: "product" | "person";
}

const Letters = ({ name, size = "small", imageUrl, kind }: LettersProps) =>
  imageUrl ? (
    <img
      src={serviceUrl(imageUrl)}
      alt=""
      loading="lazy"
      className={styles.image}
      data-size={size}
    />
  ) : (
    <span
      aria-hidden
      className={styles.emblem}
      data-kind={kind}
      data-size={size}
      data-color={colorOf(name)}
      // Not as text, which would be read and copied with the name beside it.
      data-letters={initialsOf(name)}
    />
  );

/** The image of a product, else its letters on the color of its name. */
export const ProductEmblem = (props: EmblemProps) => <Letters {...props} kind="product" />;

/** The letters of a customer or user. */
export const PersonEmblem = (props: EmblemProps) => <Letters {...props} kind="person" />;

/** What tells a product or a person from others at a glance. It stands beside the name, so it says nothing. */
export const Emblem = ({ kind, ...props }: EmblemProps & { kind: "product" | "person" }) =>
  kind === "product" ? <ProductEmblem {...props} /> : <PersonEmblem {...props} />;
