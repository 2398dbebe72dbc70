import { serviceUrl } from "../api/address";
import { useProductPlace } from "./productPlaces";
import styles from "./emblem.module.css";

/** How many colors `emblem.module.css` has. */
const COLORS = 8;

/** The color of a name that has no place, the same on every page and machine. */
function colorOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return sum % COLORS;
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
  /** Undefined until it is known. */
  color: number | undefined;
}

const Letters = ({ name, size = "small", imageUrl, kind, color }: LettersProps) =>
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
      data-color={color}
      // Not as text, which would be read and copied with the name beside it.
      data-letters={initialsOf(name)}
    />
  );

/**
 * The image of a product, else its letters on a color of its own: by the order of creation, so that
 * no two of the first eight products of an institution are alike.
 */
export function ProductEmblem(props: EmblemProps) {
  const { place, isLoading } = useProductPlace(props.name);
  const color = place === undefined ? colorOf(props.name) : place % COLORS;
  return <Letters {...props} kind="product" color={isLoading ? undefined : color} />;
}

/** The letters of a product of any vendor, whose other products the reader does not see. */
export const HeldProductEmblem = (props: EmblemProps) => (
  <Letters {...props} kind="product" color={colorOf(props.name)} />
);

/** The letters of a customer or user. */
export const PersonEmblem = (props: EmblemProps) => (
  <Letters {...props} kind="person" color={colorOf(props.name)} />
);

/** What tells a product or a person from others at a glance. It stands beside the name, so it says nothing. */
export const Emblem = ({ kind, ...props }: EmblemProps & { kind: "product" | "person" }) =>
  kind === "product" ? <ProductEmblem {...props} /> : <PersonEmblem {...props} />;
