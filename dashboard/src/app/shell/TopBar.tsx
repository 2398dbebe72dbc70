import { t } from "@lingui/core/macro";
import { NotificationBell } from "../../notifications/NotificationBell";
import { SearchIcon } from "../../ui/icons";
import { ThemeButton } from "../../ui/ThemeButton";
import { useIsShutOut, useInstitution } from "../../ui/useInstitution";
import { useMediaQuery } from "../../ui/useMediaQuery";
import { UserMenu } from "../../ui/UserMenu";
import { InstitutionSwitcher } from "./InstitutionSwitcher";
import { PhoneMenu } from "./PhoneMenu";
import styles from "./shell.module.css";

const IS_APPLE = /Mac|iP(hone|ad)/.test(navigator.userAgent);

/** The bar above every page: search, institution, notifications, account. */
export function TopBar({ onSearch }: { onSearch: () => void }) {
  const isPhone = useMediaQuery("(max-width: 767px)");
  return (
    <header className={styles.bar}>
      {isPhone && <PhoneMenu />}
      <button
        type="button"
        className={styles.search}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={onSearch}
      >
        <SearchIcon aria-hidden />
        <span>{t`Search or jump to…`}</span>
        <kbd aria-hidden>{IS_APPLE ? "⌘K" : t`Ctrl K`}</kbd>
      </button>
      <div className={styles.tools}>
        <InstitutionSwitcher />
        <Notifications />
        <ThemeButton />
        <UserMenu />
      </div>
    </header>
  );
}

/** Not for a session that reaches no institution: the server would refuse every request. */
function Notifications() {
  const { profile } = useInstitution();
  const isShutOut = useIsShutOut();
  return profile && !isShutOut && <NotificationBell />;
}
