import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import type { MouseEvent, ReactNode } from "react";
import { Link, Navigate, Route, Routes, useLocation, useNavigate } from "react-router";
import { number } from "./formats";
import styles from "./routeTabs.module.css";
import { pagePath } from "../api/address";

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

/** Tabs that lead to pages of their own. */
export function TabLinks(props: TabLinksProps) {
  const { base, label, tabs, current, search, orientation = "horizontal" } = props;
  const navigate = useNavigate();
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
          to={`${base}${tab.path && `/${tab.path}`}${search ?? ""}`}
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
        <Routes>
          {tabs.map((tab) =>
            tab.path ? (
              <Route key={tab.path} path={`${tab.path}/*`} element={tab.element} />
            ) : (
              <Route key="" index element={tab.element} />
            ),
          )}
          <Route path="*" element={<Navigate to={`${base}${search ?? ""}`} replace />} />
        </Routes>
      </div>
    </div>
  );
}
