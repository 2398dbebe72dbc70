import type { ReactNode } from "react";
import { HelpLink } from "./HelpLink";
import type { HelpTopic } from "./helpTopics";
import styles from "./section.module.css";

interface SectionProps {
  title: string;
  subtitle?: ReactNode;
  actions?: ReactNode;
  help?: HelpTopic;
  /** What it holds grows with what stands beside it. */
  fills?: boolean;
  children: ReactNode;
}

/** A part of a page with a heading, in a hairline frame. */
export const Section = ({ title, subtitle, actions, help, fills, children }: SectionProps) => (
  <section aria-label={title} className={styles.section} data-fills={fills || undefined}>
    <div className={styles.header}>
      <h2>{title}</h2>
      {help && <HelpLink topic={help} />}
      <div className={styles.actions}>{actions}</div>
    </div>
    {subtitle && <div className={styles.subtitle}>{subtitle}</div>}
    {children}
  </section>
);
