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
  WalletMissing: "Lost wallet",
  EntryMissing: "Missing ledger entries",
  EntryAdded: "Ledger entries that the balance does not count",
  EntryChanged: "Changed ledger entries",
  BalanceDiffers: "Balance differs from the last entry",
};

const amount = (value: number | null) => (value === null ? "none" : number(value));

interface MismatchRowProps {
  mismatch: Mismatch;
  onRepaired: () => void;
}

/** A wallet that is lost or does not match its ledger. */
export function MismatchRow({ mismatch, onRepaired }: MismatchRowProps) {
  const { licenseId, problems, balance, ledgerBalance, firstBadSequence } = mismatch;
  const [isAsking, setIsAsking] = useState(false);
  const { own } = useCan();
  const { data: license } = $api.useQuery("get", "/api/licenses/{licenseId}", {
    params: { path: { licenseId } },
  });
  const name = license?.licenseName ?? licenseId;
  const where = firstBadSequence === null ? "" : `, from entry ${number(firstBadSequence)}`;
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
          {problems.map((problem) => WORDS[problem]).join("; ")}
          {where}. Balance: {amount(balance)}. Ledger: {amount(ledgerBalance)}.
        </Typography>
      </Box>
      {own && problems.includes("WalletMissing") && (
        <Button
          size="small"
          variant="outlined"
          aria-label={`Repair ${name}`}
          onClick={() => {
            setIsAsking(true);
          }}
        >
          Repair
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
