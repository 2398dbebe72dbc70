import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Link as RouterLink } from "react-router";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { number } from "../../ui/formats";
import { Row } from "../../ui/layout/layout";
import { useCan } from "../../ui/useInstitution";
import styles from "./reconciliation.module.css";
import { RepairDialog } from "./RepairDialog";
import type { Mismatch } from "./useReconciliation";

const WORDS: Record<Schemas["LedgerProblem"], string> = {
  WalletMissing: t`Lost wallet`,
  EntryMissing: t`Missing ledger entries`,
  EntryAdded: t`Ledger entries that the balance does not count`,
  EntryChanged: t`Changed ledger entries`,
  BalanceDiffers: t`Balance differs from the last entry`,
};

const amountOf = (value: number | null) => (value === null ? t`none` : number(value));

/** What is wrong, from which entry of the ledger on, and both balances. */
function wordsOf({ problems, balance, ledgerBalance, firstBadSequence }: Mismatch): string {
  const what = problems.map((problem) => WORDS[problem]).join("; ");
  const [held, counted] = [amountOf(balance), amountOf(ledgerBalance)];
  if (firstBadSequence === null) return t`${what}. Balance: ${held}. Ledger: ${counted}.`;
  const entry = number(firstBadSequence);
  return t`${what}, from entry ${entry}. Balance: ${held}. Ledger: ${counted}.`;
}

interface MismatchRowProps {
  mismatch: Mismatch;
  onRepaired: () => void;
}

/** A wallet that is lost or does not match its ledger. */
export function MismatchRow({ mismatch, onRepaired }: MismatchRowProps) {
  const { licenseId, problems } = mismatch;
  const [isAsking, setIsAsking] = useState(false);
  const { own } = useCan();
  const { data: license } = $api.useQuery("get", "/api/licenses/{licenseId}", {
    params: { path: { licenseId } },
  });
  const name = license?.licenseName ?? licenseId;
  return (
    <Row as="li" gap="s" wraps className={styles.mismatch}>
      <div className={styles.what}>
        <Link component={RouterLink} to={`/licenses/${licenseId}/meter`} className={styles.name}>
          {name}
        </Link>
        <Typography variant="body2" color="textSecondary">
          {wordsOf(mismatch)}
        </Typography>
      </div>
      {own && problems.includes("WalletMissing") && (
        <Button
          size="small"
          variant="outlined"
          aria-label={t`Repair ${name}`}
          onClick={() => setIsAsking(true)}
        >
          {t`Repair`}
        </Button>
      )}
      {isAsking && (
        <RepairDialog
          mismatch={mismatch}
          name={name}
          onRepaired={onRepaired}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Row>
  );
}
