import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState, type ComponentType } from "react";
import type { License } from "../../../api/types";
import { number } from "../../../ui/formats";
import { Column, Row } from "../../../ui/layout/layout";
import { Section } from "../../../ui/Section";
import { StatusChip } from "../../../ui/StatusChip";
import { useCan } from "../../../ui/useInstitution";
import type { LicenseDialogProps } from "../actions/dialog";
import styles from "../detail.module.css";
import { unitOf } from "../traits";
import { AdjustDialog } from "./AdjustDialog";
import { amountText } from "./amounts";
import { GrantDialog } from "./GrantDialog";
import { ThresholdDialog } from "./ThresholdDialog";

/** The balance and its low-balance threshold. */
export function Balance({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  const [Dialog, setDialog] = useState<ComponentType<LicenseDialogProps> | null>(null);
  const open = (dialog: ComponentType<LicenseDialogProps>) => () => setDialog(() => dialog);
  const balance = license.meterBalance ?? 0;
  const threshold = license.lowBalanceThreshold;
  const isLow = threshold !== null && balance <= threshold;
  return (
    <Section
      title={t`Balance`}
      help="metering"
      actions={
        manage && (
          <>
            <Button variant="contained" onClick={open(GrantDialog)}>
              {t({ message: "Grant", context: "verb" })}
            </Button>
            <Button variant="outlined" onClick={open(AdjustDialog)}>
              {t`Adjust`}
            </Button>
          </>
        )
      }
    >
      <Column gap="xs">
        <Row gap="m" align="baseline" wraps>
          <Typography variant="h4" component="p" aria-live="polite" className={styles.figure}>
            {number(balance)}{" "}
            <Typography component="span" color="textSecondary">
              {unitOf(license)}
            </Typography>
          </Typography>
          {balance === 0 ? (
            <StatusChip status="Empty" tone="bad" />
          ) : (
            isLow && <StatusChip status="Low" tone="wait" />
          )}
        </Row>
        <Row gap="s" wraps>
          <Typography color="textSecondary">
            {threshold === null
              ? t`No low-balance warning set.`
              : t`Low-balance warning at ${{ amount: amountText(threshold, license) }} or less.`}
          </Typography>
          {manage && (
            <Button size="small" onClick={open(ThresholdDialog)}>
              {threshold === null ? t`Set warning` : t`Change`}
            </Button>
          )}
        </Row>
        {balance === 0 && (
          <Typography>
            {t`The license stays valid, but usage is rejected until you grant more.`}
          </Typography>
        )}
      </Column>
      {Dialog && <Dialog license={license} onClose={() => setDialog(null)} />}
    </Section>
  );
}
