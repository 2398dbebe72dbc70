import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { useNavigate } from "react-router";
import { ExpandIcon } from "../../ui/icons";
import { floating } from "../../ui/lazy";
import { useInstitution } from "../../ui/useInstitution";
import type { InstitutionMenuProps } from "./InstitutionMenu";
import styles from "./shell.module.css";

const InstitutionMenu = floating<InstitutionMenuProps>(() => import("./InstitutionMenu"));

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
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <span className={styles.switcherName}>{institutionName}</span>
      </Button>
      <InstitutionMenu
        open={anchor !== null}
        anchor={anchor}
        onChoose={choose}
        onClose={() => setAnchor(null)}
      />
    </>
  );
}
