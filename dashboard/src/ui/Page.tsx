import type { ReactNode } from "react";
import { Link } from "react-router";
import { HelpLink } from "./help";
import type { HelpTopic } from "./helpTopics";
import { ArrowBackIcon } from "./icons";
import styles from "./page.module.css";

interface PageProps {
  title: string;
  /** The language of the title, if it is not that of the dashboard. */
  titleLang?: string;
  /** Shown before the title: what it is about, small. */
  picture?: ReactNode;
  /** Shown next to the title, such as a status. */
  mark?: ReactNode;
  subtitle?: ReactNode;
  actions?: ReactNode;
  help?: HelpTopic;
  back?: { to: string; label: string };
  children: ReactNode;
}

/** A page with heading, actions and an optional back link. */
export const Page = ({
  title,
  titleLang,
  picture,
  mark,
  subtitle,
  actions,
  help,
  back,
  children,
}: PageProps) => (
  <div className={styles.page}>
    <title>{`${title} · Licet`}</title>
    <div className={styles.header}>
      {back && (
        <Link to={back.to} className={styles.back}>
          <ArrowBackIcon aria-hidden />
          {back.label}
        </Link>
      )}
      <div className={styles.heading}>
        <div className={styles.title}>
          {picture}
          <h1>
            <bdi lang={titleLang}>{title}</bdi>
          </h1>
          {mark}
          {help && <HelpLink topic={help} />}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {subtitle && <div className={styles.subtitle}>{subtitle}</div>}
    </div>
    {children}
  </div>
);
