import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import { Link } from "react-router";
import {
  BoltIcon,
  FlagIcon,
  LicenseIcon,
  PeopleIcon,
  ProductIcon,
  RepairIcon,
  SettingsIcon,
  ShowIcon,
  type Icon,
} from "../ui/icons";
import { Column, Row } from "../ui/layout/layout";
import styles from "./help.module.css";
import { addressOf, GROUPS, type Group } from "./library";

const ICONS: Record<string, Icon> = {
  "Start here": FlagIcon,
  "When something fails": RepairIcon,
  "License models": SettingsIcon,
  "Working with licenses": LicenseIcon,
  Products: ProductIcon,
  "Team and security": PeopleIcon,
  Automation: BoltIcon,
  Monitoring: ShowIcon,
};

/** A card for each group of topics. */
export const TopicGroups = () => (
  <div lang="en" className={styles.groups}>
    {GROUPS.map((group) => (
      <GroupCard key={group.name} group={group} />
    ))}
  </div>
);

function GroupCard({ group }: { group: Group }) {
  const Icon = ICONS[group.name] ?? FlagIcon;
  return (
    <Card component="section" aria-label={group.name} className={styles.group}>
      <Row gap="s" className={styles.groupName}>
        <Icon color="var(--accent)" aria-hidden />
        <Typography variant="h6" component="h2">
          {group.name}
        </Typography>
      </Row>
      <Column as="ul">
        {group.topics.map((topic) => (
          <li key={topic.name}>
            <Link to={addressOf(topic.name)} className={styles.topic}>
              <strong>{topic.title}</strong>
              <span>{topic.summary}</span>
            </Link>
          </li>
        ))}
      </Column>
    </Card>
  );
}
