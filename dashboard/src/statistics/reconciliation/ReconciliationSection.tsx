import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { number } from "../../ui/formats";
import { Column } from "../../ui/layout/layout";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import styles from "./reconciliation.module.css";
import { MismatchRow } from "./MismatchRow";
import { useReconciliation, type Progress } from "./useReconciliation";

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
