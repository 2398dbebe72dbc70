import type { ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode];

interface FactListProps {
  facts: readonly (Fact | false)[];
  /** How names and values stand. */
  className: string | undefined;
  label?: string;
}

/** Names and their values, but for those that do not apply. */
export const FactList = ({ facts, className, label }: FactListProps) => (
  <dl {...(label !== undefined && { "aria-label": label })} className={className}>
    {facts
      .filter((fact) => fact !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
