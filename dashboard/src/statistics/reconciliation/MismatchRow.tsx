import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Link as RouterLink } from "react-router";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { number } from "../../ui/formats";
import { useCan } from "../../ui/useInstitution";
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
    <Box
      component="li"
      sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1, py: 1 }}
    >
      <Box sx={{ flex: "1 1 280px", minWidth: 0, overflowWrap: "anywhere" }}>
        <Link component={RouterLink} to={`/licenses/${licenseId}/meter`} sx={{ fontWeight: 600 }}>
          {name}
        </Link>
        <Typography variant="body2" color="textSecondary">
          {wordsOf(mismatch)}
        </Typography>
      </Box>
      {own && problems.includes("WalletMissing") && (
        <Button
          size="small"
          variant="outlined"
          aria-label={t`Repair ${name}`}
          onClick={() => {
            setIsAsking(true);
          }}
        >
          {t`Repair`}
        </Button>
      )}
      {isAsking && (
        <RepairDialog
          mismatch={mismatch}
          name={name}
          onRepaired={onRepaired}
          onClose={() => {
            setIsAsking(false);
          }}
        />
      )}
    </Box>
  );
}
