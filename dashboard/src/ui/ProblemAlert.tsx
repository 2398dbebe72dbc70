import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { asProblem } from "../api/problem";
import { HelpLink } from "./HelpLink";

interface ProblemAlertProps {
  error: unknown;
  retry?: () => void;
}

/** An error message with its error code, a help link and the request ID for support. */
export function ProblemAlert({ error, retry }: ProblemAlertProps) {
  const problem = asProblem(error);
  return (
    <Alert
      severity="error"
      action={
        retry && (
          <Button color="inherit" size="small" onClick={retry}>
            Try again
          </Button>
        )
      }
    >
      {problem.detail}
      {problem.fields.length > 0 && (
        <ul>
          {problem.fields.map((item) => (
            <li key={item.field}>
              {item.field}: {item.message}
            </li>
          ))}
        </ul>
      )}
      {problem.requestId && (
        <Typography variant="caption" component="p" sx={{ mt: 0.5, overflowWrap: "anywhere" }}>
          {problem.code !== "Unreachable" && (
            <>
              <HelpLink topic="error-codes" anchor={problem.code}>
                {problem.code}
              </HelpLink>
              {" · "}
            </>
          )}
          Request {problem.requestId}
        </Typography>
      )}
    </Alert>
  );
}
