import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { useState, useEffect, useRef } from "react";
import { $api, api, at } from "../../api/client";
import { Problem, asProblem } from "../../api/problem";
import type { Schemas } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { number } from "../../ui/formats";
import { Column, Row } from "../../ui/layout/layout";
import { Muted } from "../../ui/Muted";
import { PageLink } from "../../ui/PageLink";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { useCan } from "../../ui/useInstitution";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import styles from "./reconciliation.module.css";

/** How far the check has come: "20 of 100 wallets". */
function progressOf({ checked, total }: Progress): string {
  const done = number(checked);
  return plural(total, { one: `${done} of # wallet`, other: `${done} of # wallets` });
}

/** What the check has found. */
function resultOf({ checked, mismatches, isStopped }: Progress): string {
  const found = mismatches.length;
  const result =
    found > 0
      ? plural(found, {
          one: `# of ${plural(checked, { one: "# wallet", other: "# wallets" })} checked does not match.`,
          other: `# of ${plural(checked, { one: "# wallet", other: "# wallets" })} checked do not match.`,
        })
      : plural(checked, {
          one: "# wallet checked; all match their ledgers.",
          other: "# wallets checked; all match their ledgers.",
        });
  return isStopped ? `${result} ${t`Stopped before the end.`}` : result;
}

/** Checks whether all balances of the institution agree with their ledgers. */
export function ReconciliationSection({ institutionId }: { institutionId: string }) {
  const { state, start, stop, settle } = useReconciliation(institutionId);
  const isRunning = state?.isRunning ?? false;
  return (
    <Section
      title={t`Reconciliation`}
      subtitle={t`Checks that the balance of every metered license agrees with its ledger. Nothing is changed.`}
      help="metering"
      actions={
        isRunning ? (
          <Button onClick={stop}>{t`Stop`}</Button>
        ) : (
          <Button variant="outlined" onClick={() => void start()}>
            {t`Check all wallets`}
          </Button>
        )
      }
    >
      {state && (
        <Column gap="m">
          {isRunning && (
            <div>
              <LinearProgress
                variant="determinate"
                value={state.total === 0 ? 0 : (state.checked / state.total) * 100}
                aria-label={t`Checking wallets`}
                className={styles.progress}
              />
              <Typography aria-live="polite">{progressOf(state)}</Typography>
            </div>
          )}
          {state.problem && <ProblemAlert error={state.problem} />}
          {!isRunning && !state.problem && (
            <Alert severity={state.mismatches.length > 0 ? "warning" : "success"} role="status">
              {resultOf(state)}
            </Alert>
          )}
          {state.mismatches.length > 0 && (
            <Column as="ul" aria-label={t`Mismatches`}>
              {state.mismatches.map((mismatch) => (
                <MismatchRow
                  key={mismatch.licenseId}
                  mismatch={mismatch}
                  onRepaired={() => settle(mismatch.licenseId)}
                />
              ))}
            </Column>
          )}
        </Column>
      )}
    </Section>
  );
}

const WORDS: Record<Schemas["LedgerProblem"], string> = {
  WalletMissing: t`Lost wallet`,
  EntryMissing: t`Missing ledger entries`,
  EntryAdded: t`Ledger entries that the balance does not count`,
  EntryChanged: t`Changed ledger entries`,
  BalanceDiffers: t`Balance differs from the last entry`,
  HeldDiffers: t`Reserved amount differs from the ledger`,
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
function MismatchRow({ mismatch, onRepaired }: MismatchRowProps) {
  const { licenseId, problems } = mismatch;
  const [isAsking, setIsAsking] = useState(false);
  const { own } = useCan();
  const { data: license } = $api.useQuery("get", "/api/licenses/{licenseId}", at({ licenseId }));
  const name = license?.licenseName ?? licenseId;
  return (
    <Row as="li" gap="s" wraps className={styles.mismatch}>
      <div className={styles.what}>
        <PageLink to={`/licenses/${licenseId}/meter`} className={styles.name}>
          {name}
        </PageLink>
        <Muted>{wordsOf(mismatch)}</Muted>
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

interface RepairDialogProps {
  mismatch: Mismatch;
  name: string;
  onRepaired: () => void;
  onClose: () => void;
}

/** Rebuilds a lost wallet from its ledger. */
function RepairDialog({ mismatch, name, onRepaired, onClose }: RepairDialogProps) {
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

type Mismatch = Schemas["LedgerMismatch"];

interface Progress {
  checked: number;
  total: number;
  mismatches: Mismatch[];
  isRunning: boolean;
  /** Whether the user stopped it before the end. */
  isStopped: boolean;
  problem: Problem | null;
}

/** Checks the wallets of an institution slice by slice, so that there is progress to show. */
function useReconciliation(institutionId: string) {
  const [state, setState] = useState<Progress | null>(null);
  const stopped = useRef(false);
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const start = async () => {
    stopped.current = false;
    const found: Progress = {
      checked: 0,
      total: 0,
      mismatches: [],
      isRunning: true,
      isStopped: false,
      problem: null,
    };
    setState({ ...found });
    let after: string | null | undefined = null;
    try {
      do {
        const { data }: { data?: Schemas["ReconcileResponse"] } = await api.POST(
          "/api/meter/reconcile",
          { body: { institutionId, after, repair: false } },
        );
        found.checked += data?.checked ?? 0;
        found.total = Math.max(data?.total ?? 0, found.checked);
        found.mismatches = [...found.mismatches, ...(data?.mismatches ?? [])];
        after = data?.nextAfter;
        setState({ ...found });
      } while (after && !stopped.current);
    } catch (error) {
      found.problem = asProblem(error);
    }
    setState({ ...found, isRunning: false, isStopped: Boolean(after) && found.problem === null });
  };
  return {
    state,
    start,
    stop: () => {
      stopped.current = true;
    },
    /** Takes a repaired license out of the result. */
    settle: (licenseId: string) =>
      setState(
        (before) =>
          before && {
            ...before,
            mismatches: before.mismatches.filter((item) => item.licenseId !== licenseId),
          },
      ),
  };
}
