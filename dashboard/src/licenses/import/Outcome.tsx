import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { saveCsv } from "../../ui/csv";
import { number } from "../../ui/formats";
import { Column, Row } from "../../ui/layout/layout";
import { ProblemAlert } from "../../ui/ProblemAlert";
import styles from "./import.module.css";
import { inWords } from "./table";
import type { ImportRun } from "./useImport";

const SHOWN = 100;

function resultOf({ dryRun, report, rows, total }: ImportRun): string {
  const licenses = plural(report.licenses, { one: "# license", other: "# licenses" });
  const devices = plural(report.devices, { one: "# device", other: "# devices" });
  const said = dryRun
    ? t`${licenses} with ${devices} would be imported. Nothing is changed yet.`
    : t`${licenses} with ${devices} imported.`;
  if (rows === total) return said;
  return `${said} ${t`Stopped after ${{ done: number(rows) }} of ${{ total: number(total) }} rows.`}`;
}

/** How far an import is, and then what it did and what was left out. */
export function Outcome({ run, onStop }: { run: ImportRun; onStop: () => void }) {
  const { report, isRunning, rows, total, error } = run;
  const { refused, lost, alreadyThere } = report;
  const inOrder = refused.toSorted((one, other) => one.line - other.line);
  if (isRunning)
    return (
      <Column gap="s">
        <LinearProgress
          variant="determinate"
          value={(rows / total) * 100}
          aria-label={run.dryRun ? t`Checking the file` : t`Importing`}
        />
        <Row gap="m" place="apart">
          <Typography aria-live="polite">
            {t`${{ done: number(rows) }} of ${{ total: number(total) }} rows`}
          </Typography>
          <Button onClick={onStop}>{t`Stop`}</Button>
        </Row>
      </Column>
    );
  return (
    <Column gap="m">
      {error !== null && <ProblemAlert error={error} />}
      <Alert severity={refused.length > 0 || error ? "warning" : "success"} role="status">
        {resultOf(run)}
      </Alert>
      {alreadyThere > 0 && (
        <Typography>
          {plural(alreadyThere, {
            one: "# license is already there and stays as it is.",
            other: "# licenses are already there and stay as they are.",
          })}
        </Typography>
      )}
      {lost.length > 0 && (
        <div>
          <Typography variant="subtitle1" component="p">{t`Not carried over`}</Typography>
          <ul className={styles.reasons}>
            {lost.map(({ what, licenses }) => (
              <li key={what}>
                {plural(licenses, { one: "# license", other: "# licenses" })}: {what}
              </li>
            ))}
          </ul>
        </div>
      )}
      {refused.length > 0 && (
        <div>
          <Row gap="m" place="apart">
            <Typography variant="subtitle1" component="p">
              {plural(refused.length, { one: "Left out: # row", other: "Left out: # rows" })}
            </Typography>
            <Button
              onClick={() =>
                saveCsv("not-imported", [
                  ["row", "reason"],
                  ...inOrder.map(({ line, detail }) => [line, inWords(detail)]),
                ])
              }
            >
              {t`Download CSV`}
            </Button>
          </Row>
          <ul tabIndex={0} className={styles.reasons}>
            {inOrder.slice(0, SHOWN).map(({ line, detail }) => (
              <li key={line}>
                {t`Row ${{ line: number(line) }}`}: {inWords(detail)}
              </li>
            ))}
            {refused.length > SHOWN && (
              <li>
                {plural(refused.length - SHOWN, {
                  one: "# more row is in the CSV",
                  other: "# more rows are in the CSV",
                })}
              </li>
            )}
          </ul>
        </div>
      )}
    </Column>
  );
}
