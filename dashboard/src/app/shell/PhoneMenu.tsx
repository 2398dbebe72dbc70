import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import { useState } from "react";
import { MenuIcon } from "../../ui/icons";
import { floating } from "../../ui/lazy";
import type { PhoneDrawerProps } from "./PhoneDrawer";

const PhoneDrawer = floating<PhoneDrawerProps>(() => import("./PhoneDrawer"));

/** The navigation on phones: a button, and a drawer. */
export function PhoneMenu() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <IconButton aria-label={t`Open menu`} aria-expanded={isOpen} onClick={() => setOpen(true)}>
        <MenuIcon />
      </IconButton>
      <PhoneDrawer open={isOpen} onClose={close} />
    </>
  );
}
