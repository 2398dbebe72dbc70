import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { type MouseEvent, type ReactNode, useSyncExternalStore } from "react";
import { Link as RouterLink } from "react-router";
import { HELP_TOPIC_LABELS, type HelpTopic } from "./helpTopics";
import { HelpIcon } from "./icons";
import { PageLink } from "./PageLink";

let shown: HelpTopic | null = null;
const listeners = new Set<() => void>();

function set(topic: HelpTopic | null): void {
  shown = topic;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Opens a topic beside the page. Returns false where nothing shows it, such as before the sign-in. */
export function openHelp(topic: HelpTopic): boolean {
  set(topic);
  return listeners.size > 0;
}

export function closeHelp(): void {
  set(null);
}

/** The topic that is open beside the page, for what shows it. */
export const useOpenHelp = (): HelpTopic | null => useSyncExternalStore(subscribe, () => shown);

interface HelpLinkProps {
  topic: HelpTopic;
  anchor?: string;
  /** Link text; without it the link is a question mark icon. */
  children?: ReactNode;
}

const isPlain = (event: MouseEvent) =>
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

/** A link to a page of the Help center, which opens beside the page that the user is on. */
export function HelpLink({ topic, anchor, children }: HelpLinkProps) {
  const to = `/help/${topic}${anchor ? `#${anchor}` : ""}`;
  const open = (event: MouseEvent) => {
    if (!anchor && isPlain(event) && openHelp(topic)) event.preventDefault();
  };
  if (children)
    return (
      <PageLink to={to} onClick={open}>
        {children}
      </PageLink>
    );
  const label = t`Help: ${{ topic: HELP_TOPIC_LABELS[topic] }}`;
  return (
    <Tooltip title={label}>
      <IconButton component={RouterLink} to={to} onClick={open} aria-label={label} size="small">
        <HelpIcon />
      </IconButton>
    </Tooltip>
  );
}
