import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import { ExpandIcon } from "../icons";
import { type Act, ActMenu } from "./ActMenu";
import styles from "./menu.module.css";

/** What else can be done with what a page shows, behind a button. */
export function MoreMenu({ label = t`More`, acts }: { label?: string; acts: readonly Act[] }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        variant="outlined"
        endIcon={<ExpandIcon />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {label}
      </Button>
      <ActMenu
        open={anchor !== null}
        anchor={anchor}
        acts={acts}
        side="right"
        className={styles.more}
        onClose={() => setAnchor(null)}
      />
    </>
  );
}
