import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { api } from "../../api/client";
import { Problem } from "../../api/problem";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { number } from "../../ui/formats";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import type { Mismatch } from "./useReconciliation";

interface RepairDialogProps {
  mismatch: Mismatch;
  name: string;
  onRepaired: () => void;
  onClose: () => void;
}

/** Rebuilds a lost wallet from its ledger. */
export function RepairDialog({ mismatch, name, onRepaired, onClose }: RepairDialogProps) {
  const { licenseId, ledgerBalance } = mismatch;
  const notifyChanged = useNotifyChanged();
  const repair = async () => {
    const { data } = await api.POST("/api/meter/reconcile", { body: { licenseId, repair: true } });
    if (data && data.mismatches.length > 0)
      throw new Problem(0, { detail: t`The wallet still does not match its ledger. Check again.` });
    onRepaired();
    notifyChanged(t`Wallet of ${name} repaired.`);
  };
  return (
    <ConfirmDialog
      title={t`Repair the wallet?`}
      action={t`Repair wallet`}
      onConfirm={repair}
      onClose={onClose}
      consequence={
        <>
          {ledgerBalance === null ? (
            <Trans>
              The wallet of <strong>{name}</strong> is created again from its ledger.
            </Trans>
          ) : (
            <Trans>
              The wallet of <strong>{name}</strong> is created again from its ledger, with a balance
              of {{ balance: number(ledgerBalance) }}.
            </Trans>
          )}{" "}
          {t`Applications can be charged again immediately. If you had set a low-balance threshold, set it again afterwards. The repair is recorded in the audit log.`}
        </>
      }
    />
  );
}
