import { t } from "@lingui/core/macro";
import Drawer from "@mui/material/Drawer";
import { Navigation } from "./Navigation";
import { ShellBrand } from "./ShellBrand";
import styles from "./shell.module.css";

export interface PhoneDrawerProps {
  open: boolean;
  onClose: () => void;
}

/** The navigation in a drawer. */
export default function PhoneDrawer({ open, onClose }: PhoneDrawerProps) {
  return (
    <Drawer
      open={open}
      onClose={onClose}
      slotProps={{ paper: { "aria-label": t`Menu`, className: styles.drawer } }}
    >
      <div className={styles.brand}>
        <ShellBrand onLeave={onClose} />
      </div>
      <Navigation onLeave={onClose} />
    </Drawer>
  );
}
