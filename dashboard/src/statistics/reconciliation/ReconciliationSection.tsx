import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { number } from "../../ui/formats";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { MismatchRow } from "./MismatchRow";
import { useReconciliation } from "./useReconciliation";

const wallets = (count: number) => `${number(count)} ${count === 1 ? "wallet" : "wallets"}`;

/** Checks whether all balances of the institution agree with their ledgers. */
export function ReconciliationSection({ institutionId }: { institutionId: string }) {
  const { state, start, stop, settle } = useReconciliation(institutionId);
  const isRunning = state?.isRunning ?? false;
  return (
    <Section
      title="Reconciliation"
      subtitle="Checks that the balance of every metered license agrees with its ledger. Nothing is changed."
      help="metering"
      actions={
        isRunning ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <Button variant="outlined" onClick={() => void start()}>
            Check all wallets
          </Button>
        )
      }
    >
      {state && (
        <Stack sx={{ gap: 1.5 }}>
          {isRunning && (
            <Box>
              <LinearProgress
                variant="determinate"
                value={state.total === 0 ? 0 : (state.checked / state.total) * 100}
                aria-label="Checking wallets"
                sx={{ height: 8, borderRadius: 4, mb: 1 }}
              />
              <Typography aria-live="polite">
                {number(state.checked)} of {wallets(state.total)}
              </Typography>
            </Box>
          )}
          {state.problem && <ProblemAlert error={state.problem} />}
          {!isRunning && !state.problem && (
            <Alert severity={state.mismatches.length > 0 ? "warning" : "success"} role="status">
              {state.mismatches.length > 0
                ? `${number(state.mismatches.length)} of ${wallets(state.checked)} checked ${state.mismatches.length === 1 ? "does" : "do"} not match.`
                : `${wallets(state.checked)} checked; all match their ledgers.`}
              {state.isStopped && " Stopped before the end."}
            </Alert>
          )}
          {state.mismatches.length > 0 && (
            <Box component="ul" aria-label="Mismatches" sx={{ m: 0, p: 0, listStyle: "none" }}>
              {state.mismatches.map((mismatch) => (
                <MismatchRow
                  key={mismatch.licenseId}
                  mismatch={mismatch}
                  onRepaired={() => {
                    settle(mismatch.licenseId);
                  }}
                />
              ))}
            </Box>
          )}
        </Stack>
      )}
    </Section>
  );
}
