import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Column } from "../../../ui/layout/layout";

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
  <Column gap="m">
    {lead && <div>{lead}</div>}
    <Column as="dl" gap="m">
      {[
        [t`Online applications`, online],
        [t`License files`, offline],
        [t`Undo`, undo],
      ].map(([name, text]) => (
        <div key={name as string}>
          <Typography component="dt" variant="subtitle2" color="textPrimary">
            {name}
          </Typography>
          <Typography component="dd" variant="body2">
            {text}
          </Typography>
        </div>
      ))}
    </Column>
  </Column>
);
