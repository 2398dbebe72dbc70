import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { HardwareId } from "../HardwareId";
import { nameOf, type Session } from "./session";

/** The machine and application instance of a session. */
export const SessionDevice = ({ session }: { session: Session }) => (
  <Box sx={{ minWidth: 0 }}>
    <Typography sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{nameOf(session)}</Typography>
    <HardwareId
      id={session.hardwareId}
      label={t`Copy hardware ID of ${{ device: nameOf(session) }}`}
    />
    {session.instanceId && (
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
        {t`Instance ${{ instance: session.instanceId }}`}
      </Typography>
    )}
  </Box>
);
