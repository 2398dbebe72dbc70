import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { CopyField } from "../../ui/CopyField";
import { Column } from "../../ui/layout/layout";
import { Section } from "../../ui/Section";
import { KIND_LABELS, type Connector } from "../connector";
import styles from "./connectors.module.css";
import { EXAMPLE, SHOPS } from "./kinds";
import { ReplaceSecret } from "./ReplaceSecret";

const Step = ({ title, children }: { title: string; children: ReactNode }) => (
  <li>
    <Typography variant="subtitle1" component="p">
      {title}
    </Typography>
    <Column gap="s" align="start" className={styles.step}>
      {children}
    </Column>
  </li>
);

/** What to do in the shop, step by step. */
export function SetupSteps({ connector }: { connector: Connector }) {
  const { kind, id, rules } = connector;
  const shop = SHOPS[kind];
  const isGeneric = kind === "Generic";
  return (
    <Section title={isGeneric ? t`Set up your shop` : t`Set up ${{ shop: KIND_LABELS[kind] }}`}>
      <ol className={styles.steps}>
        <Step title={t`Enter the inbox address`}>
          <span>{shop.address}</span>
        </Step>
        <Step title={isGeneric ? t`Send these events` : t`Choose the events to send`}>
          <CopyField label={t`Events`} value={shop.events.join("\n")} block />
          {shop.events.some((name) => name.includes("*")) && (
            <span>{t`The * stands for all events with this prefix.`}</span>
          )}
        </Step>
        <Step title={t`Enter the signing secret`}>
          <span>{shop.secretStep}</span>
          <ReplaceSecret connector={connector} size="small" />
        </Step>
        {isGeneric && (
          <Step title={t`Send messages in this format`}>
            <CopyField label={t`Example`} value={EXAMPLE} block />
          </Step>
        )}
        <Step title={t`Choose the license for each sale`}>
          <span>
            {rules.length > 0
              ? t`Rules decide. Orders that match none wait on the Orders page.`
              : t`Create a rule for each thing that you sell, now or with one click when it is first sold.`}
          </span>
          <Button component={Link} to={`/connectors/${id}/rules`} variant="outlined" size="small">
            {rules.length > 0 ? t`Show rules` : t`Create rules`}
          </Button>
        </Step>
      </ol>
      {shop.notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </Section>
  );
}
