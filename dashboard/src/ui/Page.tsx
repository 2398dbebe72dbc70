import { t } from "@lingui/core/macro";
import { type ReactNode, use, useState } from "react";
import { Link, useLocation } from "react-router";
import { HelpLink } from "./help";
import type { HelpTopic } from "./helpTopics";
import { ArrowBackIcon } from "./icons";
import { CountPlace } from "./list/countPlace";
import styles from "./page.module.css";
import { SiteName } from "./siteName";
import { wayBack } from "./table/wayOn";
import { TestChip } from "./TestChip";

interface PageProps {
  title: string;
  /** Shown before the title: what it is about, small. */
  picture?: ReactNode;
  /** Shown next to the title, such as a status. */
  mark?: ReactNode;
  subtitle?: ReactNode;
  actions?: ReactNode;
  help?: HelpTopic;
  back?: { to: string; label: string };
  /** Whether it is about a Test product, which a frame and the title say. */
  isTest?: boolean;
  children: ReactNode;
}

/** A page with heading, actions and an optional back link. */
export function Page(props: PageProps) {
  const { title, picture, mark, subtitle, actions, help, back, isTest = false, children } = props;
  const [count, setCount] = useState<HTMLElement | null>(null);
  const { pathname } = useLocation();
  return (
    <div className={styles.page} data-test={isTest || undefined}>
      <DocumentTitle>{isTest ? t`${title} (Test)` : title}</DocumentTitle>
      <div className={styles.header}>
        {back && (
          <Link to={wayBack(back.to, pathname)} className={styles.back}>
            <ArrowBackIcon aria-hidden />
            {back.label}
          </Link>
        )}
        <div className={styles.heading}>
          <div className={styles.title}>
            {picture}
            <h1>
              <bdi>{title}</bdi>
            </h1>
            {isTest && <TestChip />}
            {mark}
            {help && <HelpLink topic={help} />}
            <span ref={setCount} className={styles.count} />
          </div>
          {subtitle && <div className={styles.subtitle}>{subtitle}</div>}
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
      </div>
      <CountPlace value={count}>{children}</CountPlace>
    </div>
  );
}

/** The title of the tab, with whose page it is. */
function DocumentTitle({ children }: { children: string }) {
  const site = use(SiteName);
  return <title>{`${children} · ${site}`}</title>;
}
