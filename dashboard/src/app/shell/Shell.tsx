import { t } from "@lingui/core/macro";
import { type ReactNode, Suspense, useRef, useState } from "react";
import { Navigate, Outlet, ScrollRestoration, useLocation } from "react-router";
import { BusyLine } from "../../ui/BusyLine";
import { ClosedBanner } from "../../ui/ClosedBanner";
import { ErrorBoundary } from "../../ui/ErrorBoundary";
import { lazy } from "../../ui/lazy";
import { useOpenHelp } from "../../ui/help";
import { Loading } from "../../ui/Loading";
import { UnverifiedBanner } from "../../ui/UnverifiedBanner";
import { useCustomer, useIsShutOut } from "../../ui/useInstitution";
import { useMediaQuery } from "../../ui/useMediaQuery";
import { LazyPalette } from "../palette/LazyPalette";
import styles from "./shell.module.css";
import { Sidebar } from "./Sidebar";
import { TopBar } from "./TopBar";
import { useKeptFocus } from "./useKeptFocus";
import { useShortcuts, type Opened } from "./useShortcuts";

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
          <UnverifiedBanner />
          <ClosedBanner />
          <ErrorBoundary at={pathname}>
            <Suspense fallback={<Loading />}>
              <ForOperators>
                <Outlet />
              </ForOperators>
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      <ErrorBoundary at={`${String(opened)} ${String(help)}`}>
        {opened === "palette" && <LazyPalette onClose={close} />}
        <Suspense fallback={null}>
          {help && <HelpDrawer topic={help} />}
          {opened === "shortcuts" && <ShortcutsDialog onClose={close} />}
        </Suspense>
      </ErrorBoundary>
      <ScrollRestoration />
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
