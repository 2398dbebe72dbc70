import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { HardwareId } from "../HardwareId";
import { nameOf, type Session } from "./session";

/** On which machine a session lives, and for which copy of the application. */
export const SessionDevice = ({ session }: { session: Session }) => (
  <Box sx={{ minWidth: 0 }}>
    <Typography sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{nameOf(session)}</Typography>
    <HardwareId id={session.hardwareId} label={`hardware id of ${nameOf(session)}`} />
    {session.instanceId && (
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
        Instance {session.instanceId}
      </Typography>
    )}
  </Box>
);
