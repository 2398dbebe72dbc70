import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { HelpLink } from "./HelpLink";
import type { HelpTopic } from "./helpTopics";
import { Fill, Row } from "./layout/layout";
import styles from "./tabHeading.module.css";

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
