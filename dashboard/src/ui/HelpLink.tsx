import IconButton from "@mui/material/IconButton";
import Link from "@mui/material/Link";
import Tooltip from "@mui/material/Tooltip";
import type { ReactNode } from "react";
import { Link as RouterLink } from "react-router";
import { HelpIcon } from "./icons";
import type { HelpTopic } from "./helpTopics";
import { words } from "./labels";

interface HelpLinkProps {
  topic: HelpTopic;
  anchor?: string;
  /** Link text; without it the link is a question mark icon. */
  children?: ReactNode;
}

/** A link to a page of the Help center. */
export function HelpLink({ topic, anchor, children }: HelpLinkProps) {
  const to = `/help/${topic}${anchor ? `#${anchor}` : ""}`;
  if (children)
    return (
      <Link component={RouterLink} to={to}>
        {children}
      </Link>
    );
  const label = `Help: ${words(topic.replaceAll("-", "_"))}`;
  return (
    <Tooltip title={label}>
      <IconButton component={RouterLink} to={to} aria-label={label} size="small">
        <HelpIcon />
      </IconButton>
    </Tooltip>
  );
}
