import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useState } from "react";
import type { AccountMenuProps } from "./AccountMenu";
import { PersonEmblem } from "./Emblem";
import { floating } from "./lazy";
import { useInstitution } from "./useInstitution";
import styles from "./userMenu.module.css";

const AccountMenu = floating<AccountMenuProps>(() => import("./AccountMenu"));

/** Menu of the signed-in user: account and sign-out. */
export function UserMenu() {
  const { profile } = useInstitution();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  const name = profile?.fullName ?? "";
  return (
    <>
      <Button
        color="inherit"
        className={styles.button}
        aria-haspopup="menu"
        aria-label={name ? t`${name}, your account` : t`Your account`}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <PersonEmblem name={name} />
        <span className={styles.name}>{name}</span>
      </Button>
      <AccountMenu open={anchor !== null} anchor={anchor} onClose={close} />
    </>
  );
}
