import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { HelpLink } from "./help";
import type { HelpTopic } from "./helpTopics";
import { Fill, Row } from "./layout/layout";
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

interface TabHeadingProps {
  title: string;
  help: HelpTopic;
  action?: ReactNode;
  /** The ID of the heading, for what it labels. */
  id?: string;
  /** Description of the list below. */
  children: ReactNode;
}

/** Heading of a tab with a list, with a button to add an item. */
export const TabHeading = ({ title, help, action, id, children }: TabHeadingProps) => (
  <Row folds gap="m" align="start" className={styles.heading}>
    <Fill>
      <Row gap="xs">
        <Typography variant="h6" component="h2" id={id}>
          {title}
        </Typography>
        <HelpLink topic={help} />
      </Row>
      <Typography color="textSecondary" className={styles.text}>
        {children}
      </Typography>
    </Fill>
    {action && <div>{action}</div>}
  </Row>
);
