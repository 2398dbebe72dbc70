import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { Link, useLocation } from "react-router";
import type { License } from "../../../api/types";
import styles from "../detail.module.css";

/** Shown until every attempt is reviewed. */
export function AttemptsBanner({ license }: { license: License }) {
  const to = `/licenses/${license.id}/access-attempts`;
  const isThere = useLocation().pathname.startsWith(to);
  const count = license.unreviewedAccessAttempts;
  return (
    <Alert
      severity="warning"
      className={styles.above}
      action={
        !isThere && (
          <Button component={Link} to={to} color="inherit" size="small">
            {t`Review`}
          </Button>
        )
      }
    >
      {plural(count, {
        one: "A machine tried to use this license, which is bound to another machine. Access was denied; nothing changed.",
        other:
          "# machines tried to use this license, which is bound to another machine. Access was denied; nothing changed.",
      })}
    </Alert>
  );
}
