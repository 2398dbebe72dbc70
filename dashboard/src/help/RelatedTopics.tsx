import { t } from "@lingui/core/macro";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link as RouterLink } from "react-router";
import { ArrowBackIcon, ArrowForwardIcon } from "../ui/icons";
import { Column, Fill, Row } from "../ui/layout/layout";
import styles from "./help.module.css";
import { addressOf, TOPICS, topicsNamed, type Topic } from "./library";

/** Related topics and links to the previous and next page. */
export function RelatedTopics({ topic }: { topic: Topic }) {
  const place = TOPICS.indexOf(topic);
  const before = TOPICS[place - 1];
  const after = TOPICS[place + 1];
  return (
    <footer className={styles.related}>
      <Typography variant="h6" component="h2">
        {t`Related`}
      </Typography>
      <Column as="ul" gap="s" lang="en">
        {topicsNamed(topic.related).map((other) => (
          <li key={other.name}>
            <Link component={RouterLink} to={addressOf(other.name)} variant="subtitle1">
              {other.title}
            </Link>
            <Typography variant="body2" color="textSecondary">
              {other.summary}
            </Typography>
          </li>
        ))}
      </Column>
      <Row as="nav" folds gap="m" aria-label={t`Previous and next page`}>
        {before && <Neighbor topic={before} side="Previous" icon={<ArrowBackIcon />} />}
        {after && <Neighbor topic={after} side="Next" icon={<ArrowForwardIcon />} />}
      </Row>
    </footer>
  );
}

const SIDES = { Previous: t`Previous`, Next: t`Next` };

interface NeighborProps {
  topic: Topic;
  side: keyof typeof SIDES;
  icon: ReactNode;
}

const Neighbor = ({ topic, side, icon }: NeighborProps) => (
  <RouterLink to={addressOf(topic.name)} className={styles.neighbor} data-side={side}>
    {icon}
    <Fill as="span">
      <span>{SIDES[side]}</span>
      <strong lang="en">{topic.title}</strong>
    </Fill>
  </RouterLink>
);
