import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import Drawer from "@mui/material/Drawer";
import IconButton from "@mui/material/IconButton";
import { useEffect, useId, useRef, type MouseEvent } from "react";
import { useLocation } from "react-router";
import { closeHelp, openHelp } from "../ui/help";
import type { HelpTopic } from "../ui/helpTopics";
import { CloseIcon } from "../ui/icons";
import styles from "./helpDrawer.module.css";
import { addressOf, findTopic, TOPICS, useTexts } from "./library";
import { Prose } from "./Prose";
import prose from "./prose.module.css";
import { pagePath } from "../api/address";
import { ButtonLink } from "../ui/PageLink";

/**
 * Follows a link of the text without leaving the page: to another topic, or to a heading. Returns
 * false for a link that leads elsewhere.
 */
function follow(event: MouseEvent): boolean {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link) return false;
  const topic = TOPICS.find(({ name }) => addressOf(name) === pagePath(link.pathname));
  // A heading of the same text has the address of the page behind it.
  const isHeading = link.hash !== "" && link.pathname === window.location.pathname;
  if (topic) openHelp(topic.name);
  else if (isHeading) document.getElementById(link.hash.slice(1))?.scrollIntoView();
  return Boolean(topic) || isHeading;
}

/** A page of the Help center beside the page that it is about, which stays as it is. */
export default function HelpDrawer({ topic: name }: { topic: HelpTopic }) {
  const topic = findTopic(name);
  const texts = useTexts();
  const id = useId();
  const text = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const openedAt = useRef(pathname);
  useEffect(() => {
    text.current?.scrollTo(0, 0);
    // The link that was followed is gone, and with it the focus: Escape would reach nothing.
    text.current?.focus();
  }, [name]);
  useEffect(() => {
    if (pathname !== openedAt.current) closeHelp();
  }, [pathname]);
  const shown = topic && texts.get(topic);
  if (!shown) return null;
  return (
    <Drawer
      open
      anchor="right"
      onClose={closeHelp}
      slotProps={{
        paper: { role: "dialog", "aria-labelledby": id, className: styles.drawer },
      }}
    >
      <header className={styles.header}>
        <h2 id={id}>{topic.title}</h2>
        <ButtonLink to={addressOf(name)} size="small">
          {t`Open page`}
        </ButtonLink>
        <IconButton aria-label={t`Close help`} onClick={closeHelp}>
          <CloseIcon />
        </IconButton>
      </header>
      <article
        ref={text}
        lang={shown.locale}
        tabIndex={0}
        className={`${prose.prose ?? ""} ${styles.text ?? ""}`}
        onClickCapture={(event: MouseEvent) => {
          if (!follow(event)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        <p lang={i18n.locale} className={styles.summary}>
          {topic.summary}
        </p>
        <Prose markdown={shown.body} path={addressOf(name)} passages={shown.passages} />
      </article>
    </Drawer>
  );
}
