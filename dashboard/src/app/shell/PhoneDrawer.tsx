import { t } from "@lingui/core/macro";
import Drawer from "@mui/material/Drawer";
import { Brand } from "../../ui/Brand";
import { Navigation } from "./Navigation";
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
        <Brand />
      </div>
      <Navigation onLeave={onClose} />
    </Drawer>
  );
}
