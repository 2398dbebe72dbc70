import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { RowMenuIcon } from "../icons";

interface RowMenuProps {
  /** Name of the row's item, for the accessible name of the button. */
  name: string;
  acts: readonly { label: string; act: () => void }[];
}

/** What can be done with a row, behind one small button. */
export function RowMenu({ name, acts }: RowMenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => {
    setAnchor(null);
  };
  if (acts.length === 0) return null;
  return (
    <>
      <IconButton
        size="small"
        aria-label={t`Actions for ${name}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => {
          setAnchor(event.currentTarget);
        }}
      >
        <RowMenuIcon />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={close}>
        {acts.map(({ label, act }) => (
          <MenuItem
            key={label}
            onClick={() => {
              close();
              act();
            }}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
