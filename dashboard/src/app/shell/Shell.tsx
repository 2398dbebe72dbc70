import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { type ReactNode, Suspense, useRef, useState } from "react";
import { Navigate, Outlet, useLocation } from "react-router";
import { NotificationBell } from "../../notifications/NotificationBell";
import { BusyLine } from "../../ui/BusyLine";
import { ClosedBanner } from "../../ui/ClosedBanner";
import { ErrorBoundary } from "../../ui/ErrorBoundary";
import { useOpenHelp } from "../../ui/help";
import { CollapseIcon, MenuIcon, SearchIcon } from "../../ui/icons";
import { floating, lazy } from "../../ui/lazy";
import { OfflineBanner } from "../../ui/OfflineBanner";
import { IS_APPLE } from "../../ui/pageKeys";
import { PageSkeleton } from "../../ui/SkeletonRows";
import { ThemeButton } from "../../ui/ThemeButton";
import { UnverifiedBanner } from "../../ui/UnverifiedBanner";
import { useCustomer, useInstitution, useIsShutOut } from "../../ui/useInstitution";
import { useMediaQuery } from "../../ui/useMediaQuery";
import { UserMenu } from "../../ui/UserMenu";
import { useStored } from "../../ui/useStored";
import { LazyPalette } from "../palette/LazyPalette";
import { Navigation } from "./Navigation";
import { ShellBrand } from "./ShellBrand";
import type { PhoneDrawerProps } from "./PhoneDrawer";
import { KeptScroll } from "./KeptScroll";
import styles from "./shell.module.css";
import { useKeptFocus } from "./useKeptFocus";
import { type Opened, useShortcuts } from "./useShortcuts";

const HelpDrawer = lazy(() => import("../../help/HelpDrawer"));
const ShortcutsDialog = lazy(() => import("./ShortcutsDialog"));

/** What is around every page of a signed-in user. */
export default function Shell() {
  const { pathname } = useLocation();
  const hasSidebar = useMediaQuery("(min-width: 768px)");
  const [opened, setOpened] = useState<Opened>(null);
  const help = useOpenHelp();
  const main = useRef<HTMLElement>(null);
  useShortcuts(opened, setOpened);
  useKeptFocus(main);
  const close = () => setOpened(null);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        {t`Skip to content`}
      </a>
      <BusyLine />
      {hasSidebar && <Sidebar />}
      <div className={styles.column}>
        <TopBar onSearch={() => setOpened("palette")} />
        <main ref={main} id="main" tabIndex={-1} className={styles.sheet}>
          <OfflineBanner />
          <UnverifiedBanner />
          <ClosedBanner />
          <ErrorBoundary at={pathname}>
            <Suspense fallback={<PageSkeleton />}>
              <ForOperators>
                <Outlet />
              </ForOperators>
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      <ErrorBoundary at={`${String(opened)} ${String(help)}`}>
        {opened === "palette" && (
          <LazyPalette onClose={close} onShortcuts={() => setOpened("shortcuts")} />
        )}
        <Suspense fallback={null}>
          {help && <HelpDrawer topic={help} />}
          {opened === "shortcuts" && <ShortcutsDialog onClose={close} />}
        </Suspense>
      </ErrorBoundary>
      <KeptScroll />
    </div>
  );
}

const FOR_EVERYBODY = /^\/(profile|help)(\/|$)/;

/** Redirects end users, who belong to no institution, to the portal. */
function ForOperators({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const isCustomer = useCustomer();
  const isShutOut = useIsShutOut();
  // The banner says what opens the institution.
  if (isShutOut && !FOR_EVERYBODY.test(pathname)) return null;
  return isCustomer && !FOR_EVERYBODY.test(pathname) ? <Navigate to="/portal" replace /> : children;
}

/** The bar above every page: search, notifications, account. */
function TopBar({ onSearch }: { onSearch: () => void }) {
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

const PhoneDrawer = floating<PhoneDrawerProps>(() => import("./PhoneDrawer"));

/** The navigation on phones: a button, and a drawer. */
function PhoneMenu() {
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

/** The navigation beside the page: icons alone on tablets, and where the user wants it so. */
function Sidebar() {
  const hasRoom = useMediaQuery("(min-width: 1200px)");
  const [isClosed, close] = useStored("sidebarClosed", false);
  const isNarrow = isClosed || !hasRoom;
  const label = isNarrow ? t`Open sidebar` : t`Close sidebar`;
  return (
    <div className={styles.sidebar} data-narrow={isNarrow || undefined}>
      <div className={styles.brand}>
        <ShellBrand isNarrow={isNarrow} />
      </div>
      <Navigation isNarrow={isNarrow} />
      {hasRoom && (
        <Tooltip title={label} placement="right">
          <IconButton
            aria-label={label}
            aria-expanded={!isNarrow}
            className={styles.collapse}
            onClick={() => close(!isClosed)}
          >
            <CollapseIcon />
          </IconButton>
        </Tooltip>
      )}
    </div>
  );
}
