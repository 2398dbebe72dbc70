import { t } from "@lingui/core/macro";
import Drawer from "@mui/material/Drawer";
import IconButton from "@mui/material/IconButton";
import { useState } from "react";
import { Brand } from "../../ui/Brand";
import { MenuIcon } from "../../ui/icons";
import { Navigation } from "./Navigation";
import styles from "./shell.module.css";

/** The navigation on phones: a button, and a drawer. */
export function PhoneMenu() {
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
  };
  return (
    <>
      <IconButton
        aria-label={t`Open menu`}
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(true);
        }}
      >
        <MenuIcon />
      </IconButton>
      <Drawer
        open={isOpen}
        onClose={close}
        slotProps={{ paper: { "aria-label": t`Menu`, className: styles.drawer } }}
      >
        <div className={styles.brand}>
          <Brand />
        </div>
        <Navigation onLeave={close} />
      </Drawer>
    </>
  );
}
