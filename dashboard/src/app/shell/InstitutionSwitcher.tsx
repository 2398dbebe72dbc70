import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import ListItemIcon from "@mui/material/ListItemIcon";
import ListItemText from "@mui/material/ListItemText";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { useNavigate } from "react-router";
import { CheckIcon, ExpandIcon } from "../../ui/icons";
import { ROLE_LABELS } from "../../ui/labels";
import { useInstitution } from "../../ui/useInstitution";
import styles from "./shell.module.css";

/** Shows the current institution and lets members of several switch. */
export function InstitutionSwitcher() {
  const { memberships, institutionId, institutionName, switchTo } = useInstitution();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const navigate = useNavigate();
  if (!institutionId || memberships.length < 2) return null;
  const choose = (id: string) => {
    setAnchor(null);
    switchTo(id);
    void navigate("/");
  };
  return (
    <>
      <Button
        color="inherit"
        className={styles.switcher}
        endIcon={<ExpandIcon />}
        aria-haspopup="menu"
        aria-label={t`Institution: ${institutionName}. Switch`}
        onClick={(event) => {
          setAnchor(event.currentTarget);
        }}
      >
        <span className={styles.switcherName}>{institutionName}</span>
      </Button>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => {
          setAnchor(null);
        }}
      >
        {memberships.map((item) => (
          <MenuItem
            key={item.institutionId}
            selected={item.institutionId === institutionId}
            onClick={() => {
              choose(item.institutionId);
            }}
          >
            <ListItemIcon>{item.institutionId === institutionId && <CheckIcon />}</ListItemIcon>
            <ListItemText primary={item.institutionName} secondary={ROLE_LABELS[item.role]} />
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
