import type { ElementType, HTMLAttributes, ReactNode } from "react";
import styles from "./layout.module.css";

/** Steps of the grid: 4, 8, 12, 16 and 24 px. */
export type Gap = "xs" | "s" | "m" | "l" | "xl";
type Align = "start" | "center" | "end" | "baseline" | "stretch";

interface LayoutProps extends HTMLAttributes<HTMLElement> {
  /** The element; a `div` by default. A list has no bullets and no margin. */
  as?: ElementType;
  gap?: Gap | undefined;
  /** Across its direction. */
  align?: Align | undefined;
}

interface RowProps extends LayoutProps {
  /** Goes on in another line where there is no room. */
  wraps?: boolean;
  /** One below the other on phones. */
  folds?: boolean;
  /** All as wide as each other. */
  even?: boolean;
  /** Along its direction. */
  place?: "atEnd" | "apart" | undefined;
}

const classOf = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(" ");

const isList = (as: ElementType) => as === "ul" || as === "ol" || as === "dl";

/** One below the other. */
export function Column({ as: Element = "div", gap, align, className, ...rest }: LayoutProps) {
  const given = classOf(gap && styles[gap], align && styles[align], className);
  return (
    <Element className={classOf(styles.column, isList(Element) && styles.list, given)} {...rest} />
  );
}

/** One beside the other, centered on a line. */
export function Row(props: RowProps) {
  const { as: Element = "div", gap, align, wraps, folds, even, place, className, ...rest } = props;
  const given = classOf(
    gap && styles[gap],
    align && styles[align],
    place && styles[place],
    wraps && styles.wraps,
    folds && styles.folds,
    even && styles.even,
    className,
  );
  return (
    <Element className={classOf(styles.row, isList(Element) && styles.list, given)} {...rest} />
  );
}

interface FillProps extends HTMLAttributes<HTMLElement> {
  /** The element; a `div` by default. */
  as?: ElementType;
}

/** Takes the room that the others in a row leave. */
export const Fill = ({ as: Element = "div", className, ...rest }: FillProps) => (
  <Element className={classOf(styles.fill, className)} {...rest} />
);

interface WithAsideProps {
  /** What is less often needed: beside the rest where there is room, else below. */
  aside: ReactNode;
  children: ReactNode;
}

/** The parts of a page in two columns. */
export const WithAside = ({ aside, children }: WithAsideProps) => (
  <div className={styles.main}>
    <div className={styles.aside}>{children}</div>
    <div className={styles.aside}>{aside}</div>
  </div>
);
