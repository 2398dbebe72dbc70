import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import styles from "../detail.module.css";
import { NamedDevice } from "../NamedDevice";
import type { Session } from "./session";

/** The machine and application instance of a session. */
export const SessionDevice = ({ session }: { session: Session }) => (
  <>
    <NamedDevice device={session} />
    {session.instanceId && (
      <Typography variant="body2" color="textSecondary" className={styles.inCell}>
        {t`Instance ${{ instance: session.instanceId }}`}
      </Typography>
    )}
  </>
);
