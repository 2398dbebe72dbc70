import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { asProblem, type Problem } from "../api/problem";
import { HelpLink } from "./help";
import { words } from "./labels";
import styles from "./problemAlert.module.css";

interface ProblemAlertProps {
  error: unknown;
  retry?: () => void;
  /** Whether a field of the form says itself what is wrong with it. */
  isTold?: (field: string) => boolean;
}

const NONE = () => false;

/** What is wrong, with the fields by their names; what is said beside a field is not said again. */
function Detail({ problem, isTold }: { problem: Problem; isTold: (field: string) => boolean }) {
  const { fields, detail, meaning } = problem;
  const untold = fields.filter(({ field }) => !isTold(field));
  const language = problem.status === 0 ? undefined : "en";
  if (fields.length === 0)
    return meaning ? (
      <>
        {meaning}
        <Typography variant="caption" component="p" lang={language}>
          {detail}
        </Typography>
      </>
    ) : (
      <span lang={language}>{detail}</span>
    );
  if (untold.length === 0) return t`Check the marked fields.`;
  return (
    <>
      {t`Check what you entered:`}
      <ul>
        {untold.map(({ field, message }) => (
          <li key={field}>
            {field && `${words(field)}: `}
            <span lang={language}>{message}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** An error message with its error code, a help link and the request ID for support. */
export function ProblemAlert({ error, retry, isTold = NONE }: ProblemAlertProps) {
  const problem = asProblem(error);
  return (
    <Alert
      severity="error"
      action={
        retry && (
          <Button color="inherit" size="small" onClick={retry}>
            {t`Try again`}
          </Button>
        )
      }
    >
      <Detail problem={problem} isTold={isTold} />
      {problem.requestId && (
        <Typography variant="caption" component="p" className={styles.request}>
          {problem.code !== "Unreachable" && (
            <>
              <HelpLink topic="error-codes" anchor={problem.code}>
                {problem.code}
              </HelpLink>
              {" · "}
            </>
          )}
          {t`Request ${{ requestId: problem.requestId }}`}
        </Typography>
      )}
    </Alert>
  );
}
