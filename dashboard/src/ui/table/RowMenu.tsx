import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import { useState } from "react";
import { RowMenuIcon } from "../icons";
import { ActMenu, type Act } from "../menu/ActMenu";

interface RowMenuProps {
  /** Name of the row's item, for the accessible name of the button. */
  name: string;
  acts: readonly Act[];
}

/** What can be done with a row, behind one small button. */
export function RowMenu({ name, acts }: RowMenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  if (acts.length === 0) return null;
  return (
    <>
      <IconButton
        size="small"
        aria-label={t`Actions for ${name}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <RowMenuIcon />
      </IconButton>
      <ActMenu open={anchor !== null} anchor={anchor} acts={acts} side="right" onClose={close} />
    </>
  );
}
