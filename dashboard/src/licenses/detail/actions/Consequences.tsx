import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";

interface ConsequencesProps {
  lead?: ReactNode;
  /** What applications that ask the server meet, and when. */
  online: ReactNode;
  /** What becomes of license.bin files that customers have. */
  offline: ReactNode;
  /** Whether and how it can be taken back. */
  undo: ReactNode;
}

/** What an action does to those who use the license. */
export const Consequences = ({ lead, online, offline, undo }: ConsequencesProps) => (
  <>
    {lead && <Box sx={{ mb: 1.5, overflowWrap: "anywhere" }}>{lead}</Box>}
    <Box component="dl" sx={{ m: 0, display: "grid", gap: 1.25 }}>
      {[
        ["Online applications", online],
        ["License files", offline],
        ["Undo", undo],
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
