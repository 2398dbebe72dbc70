import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { useState } from "react";
import { ColumnsIcon } from "../../ui/icons";
import { floating } from "../../ui/lazy";
import type { ColumnsMenuProps } from "./OpenColumnsMenu";

const OpenColumnsMenu = floating<ColumnsMenuProps>(() => import("./OpenColumnsMenu"));

/** Chooses the columns of the table. */
export function ColumnsMenu() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Tooltip title={t`Columns`}>
        <IconButton
          aria-label={t`Columns`}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <ColumnsIcon />
        </IconButton>
      </Tooltip>
      <OpenColumnsMenu open={anchor !== null} anchor={anchor} onClose={() => setAnchor(null)} />
    </>
  );
}
