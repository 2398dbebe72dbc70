import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Link from "@mui/material/Link";
import Tooltip from "@mui/material/Tooltip";
import type { MouseEvent, ReactNode } from "react";
import { Link as RouterLink } from "react-router";
import { openHelp } from "./help";
import { HelpIcon } from "./icons";
import { HELP_TOPIC_LABELS, type HelpTopic } from "./helpTopics";

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
      <Link component={RouterLink} to={to} onClick={open}>
        {children}
      </Link>
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
