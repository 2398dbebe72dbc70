import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import type { MouseEvent, ReactNode } from "react";
import { Link, Navigate, Route, Routes, useLocation, useNavigate } from "react-router";
import { number } from "./formats";
import { Loading } from "./Loading";
import { CountPlace } from "./list/countPlace";
import styles from "./routeTabs.module.css";
import { pagePath } from "../api/address";
import { useInstitution } from "./useInstitution";
import { useIsPhone } from "./useMediaQuery";

export interface TabLink {
  /** Path below `base`; "" for the first tab. */
  path: string;
  label: string;
  /** Number of items that need attention, shown as a badge. */
  waiting?: number;
}

export interface RouteTab extends TabLink {
  element: ReactNode;
  /** Shown at its address, but not offered. */
  isUnlisted?: boolean;
}

interface TabLinksProps {
  /** Path of the page. */
  base: string;
  label: string;
  tabs: readonly TabLink[];
  /** Path of the tab that is shown; false for one that is not listed. */
  current: string | false;
  /** Query string to keep when switching tabs: "?from=2030-01-01". */
  search?: string | undefined;
  /** Side by side above what they show, or a list beside it. */
  orientation?: "horizontal" | "vertical";
}

/** As many are looked through by scrolling. */
const FEW = 7;

/** The tabs as a menu, where they are more than fit beside each other. */
function TabMenu({ base, label, tabs, current, search }: Omit<TabLinksProps, "orientation">) {
  const navigate = useNavigate();
  return (
    <select
      aria-label={label}
      className={styles.menu}
      value={current === false ? undefined : current}
      onChange={({ target: { value } }) =>
        void navigate({
          pathname: pathOf(base, value),
          search: search === undefined ? "" : window.location.search,
        })
      }
    >
      {tabs.map((tab) => (
        <option key={tab.path} value={tab.path}>
          {tab.waiting ? `${tab.label} (${number(tab.waiting)})` : tab.label}
        </option>
      ))}
    </select>
  );
}

const pathOf = (base: string, path: string) => `${base}${path && `/${path}`}`;

/** Tabs that lead to pages of their own; many of them are a menu on phones. */
export function TabLinks(props: TabLinksProps) {
  const { base, label, tabs, current, search, orientation = "horizontal" } = props;
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  if (isPhone && tabs.length > FEW) return <TabMenu {...props} />;
  // A filter changed just before the click is in the URL already, but not in the rendered links.
  const keepSearch = (event: MouseEvent<HTMLAnchorElement>) => {
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (search === undefined || !isPlain) return;
    event.preventDefault();
    void navigate({
      pathname: pagePath(event.currentTarget.pathname),
      search: window.location.search,
    });
  };
  return (
    <Tabs
      value={current}
      aria-label={label}
      variant="scrollable"
      scrollButtons={false}
      orientation={orientation}
      className={styles[orientation]}
    >
      {tabs.map((tab) => (
        <Tab
          key={tab.path}
          value={tab.path}
          component={Link}
          onClick={keepSearch}
          to={`${pathOf(base, tab.path)}${search ?? ""}`}
          label={
            tab.waiting ? (
              <span>
                {tab.label} <span className={styles.waiting}>{number(tab.waiting)}</span>
              </span>
            ) : (
              tab.label
            )
          }
        />
      ))}
    </Tabs>
  );
}

type RouteTabsProps = Omit<TabLinksProps, "tabs" | "current"> & { tabs: RouteTab[] };

/** Leads on from a tab that is not there; until the user's roles are known, it may only not be there yet. */
function ToFirst({ address }: { address: string }) {
  const { profile } = useInstitution();
  return profile ? <Navigate to={address} replace /> : <Loading />;
}

/** Tabs with a route each. */
export function RouteTabs({ base, label, tabs, search, orientation }: RouteTabsProps) {
  const rest = useLocation().pathname.slice(base.length).split("/").filter(Boolean)[0] ?? "";
  const current = tabs.find((tab) => tab.path === rest) ?? tabs.find((tab) => tab.path === "");
  return (
    <div className={styles.whole} data-orientation={orientation}>
      <TabLinks
        base={base}
        label={label}
        tabs={tabs.filter((tab) => !tab.isUnlisted)}
        current={current && !current.isUnlisted ? current.path : false}
        search={search}
        {...(orientation && { orientation })}
      />
      <div role="tabpanel" aria-label={current?.label}>
        {/* A list in a tab is not what the title of the page names. */}
        <CountPlace value={null}>
          <Routes>
            {tabs.map((tab) =>
              tab.path ? (
                <Route key={tab.path} path={`${tab.path}/*`} element={tab.element} />
              ) : (
                <Route key="" index element={tab.element} />
              ),
            )}
            <Route path="*" element={<ToFirst address={`${base}${search ?? ""}`} />} />
          </Routes>
        </CountPlace>
      </div>
    </div>
  );
}
