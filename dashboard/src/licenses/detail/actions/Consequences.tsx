import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";

interface ConsequencesProps {
  lead?: ReactNode;
  /** The effect on online applications, and when. */
  online: ReactNode;
  /** The effect on existing license.bin files. */
  offline: ReactNode;
  /** Whether and how it can be undone. */
  undo: ReactNode;
}

/** The effects of an action on users of the license. */
export const Consequences = ({ lead, online, offline, undo }: ConsequencesProps) => (
  <>
    {lead && <Box sx={{ mb: 1.5, overflowWrap: "anywhere" }}>{lead}</Box>}
    <Box component="dl" sx={{ m: 0, display: "grid", gap: 1.25 }}>
      {[
        [t`Online applications`, online],
        [t`License files`, offline],
        [t`Undo`, undo],
      ].map(([name, text]) => (
        <div key={name as string}>
          <Typography component="dt" variant="body2" color="textPrimary" sx={{ fontWeight: 600 }}>
            {name}
          </Typography>
          <Typography component="dd" variant="body2" sx={{ m: 0 }}>
            {text}
          </Typography>
        </div>
      ))}
    </Box>
  </>
);
