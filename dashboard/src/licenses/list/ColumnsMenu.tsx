import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import Tooltip from "@mui/material/Tooltip";
import { useState } from "react";
import { CheckIcon, ColumnsIcon } from "../../ui/icons";
import { COLUMNS } from "./columns";
import styles from "./licenseList.module.css";
import { useColumns } from "./useColumns";

/** Chooses the columns of the table. */
export function ColumnsMenu() {
  const { isShown, toggle } = useColumns();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Tooltip title={t`Columns`}>
        <IconButton
          aria-label={t`Columns`}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => {
            setAnchor(event.currentTarget);
          }}
        >
          <ColumnsIcon />
        </IconButton>
      </Tooltip>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => {
          setAnchor(null);
        }}
      >
        {COLUMNS.slice(1).map(({ key, label }) => (
          <MenuItem
            key={key}
            role="menuitemcheckbox"
            aria-checked={isShown(key)}
            onClick={() => {
              toggle(key);
            }}
          >
            <span className={styles.tick}>{isShown(key) && <CheckIcon />}</span>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
