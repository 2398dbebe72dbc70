import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import type { ReactNode } from "react";
import type { Schemas } from "../api/types";
import { useCopy } from "../ui/CopyButton";
import { DescriptionList } from "../ui/DescriptionList";
import { CheckIcon, CopyIcon } from "../ui/icons";
import { Column, Row } from "../ui/layout/layout";
import { MODEL_TRAITS } from "../ui/models";
import { Muted } from "../ui/Muted";
import { AmountAnswer, TermAnswer } from "./Answers";
import styles from "./answers.module.css";
import { amountOf, featuresOf, type Fact } from "./licenseText";

type PortalLicense = Schemas["PortalLicense"];

interface LicenseSummaryProps {
  license: PortalLicense;
  facts: Fact[];
}

/** What most open a license for: until when, how much is left, and its key; the rest folded. */
export function LicenseSummary({ license, facts }: LicenseSummaryProps) {
  const { seats, meter } = MODEL_TRAITS[license.type];
  return (
    <section aria-label={t`License`} className={styles.summary}>
      <Answer label={t`Term`}>
        <TermAnswer license={license} />
      </Answer>
      {(seats ?? meter) && (
        <Answer label={meter ? t`Balance` : seats === "devices" ? t`Devices` : t`Seats`}>
          {amountOf(license) === null ? t`Unlimited` : <AmountAnswer license={license} />}
        </Answer>
      )}
      <Answer label={t`License key`}>
        <Key value={license.licenseKey} />
      </Answer>
      <details className={styles.facts}>
        <summary>{t`More about this license`}</summary>
        <Column gap="l">
          <DescriptionList facts={facts} />
          <Features license={license} />
        </Column>
      </details>
    </section>
  );
}

const Answer = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <p className={styles.label}>{label}</p>
    <div className={styles.answer}>{children}</div>
  </div>
);

function Key({ value }: { value: string }) {
  const { copied, copy } = useCopy(value);
  return (
    <div className={styles.key}>
      <code>{value}</code>
      <Button
        variant="outlined"
        size="small"
        startIcon={copied ? <CheckIcon color="var(--good)" /> : <CopyIcon />}
        onClick={copy}
      >
        {copied ? t`Copied` : t`Copy key`}
      </Button>
    </div>
  );
}

/** What the license allows, as chips. */
function Features({ license }: { license: PortalLicense }) {
  const features = featuresOf(license);
  if (features.length === 0) return null;
  return (
    <Column gap="xs">
      <Muted>{t`Features`}</Muted>
      <Row as="ul" gap="xs" wraps aria-label={t`Features`}>
        {features.map((text) => (
          <Chip key={text} component="li" size="small" variant="outlined" label={text} dir="auto" />
        ))}
      </Row>
    </Column>
  );
}
