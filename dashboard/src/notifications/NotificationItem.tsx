import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Tooltip from "@mui/material/Tooltip";
import Typography from "@mui/material/Typography";
import { visuallyHidden } from "@mui/utils";
import { Link as RouterLink } from "react-router";
import { withLocalTimes } from "../ui/formats";
import { CheckIcon } from "../ui/icons";
import { RelativeTime } from "../ui/RelativeTime";
import { KINDS, linkOf } from "./kinds";
import type { Notification } from "./stream";

interface NotificationItemProps {
  item: Notification;
  /** Name of the institution if the user belongs to several. */
  institution: string | undefined;
  onRead: (id: string) => void;
  /** Called when the link is followed. */
  onLeave?: () => void;
}

/** Truncates long names; the linked page shows them in full. */
const lines = (most: number) => ({
  display: "-webkit-box",
  WebkitBoxOrient: "vertical",
  WebkitLineClamp: most,
  overflow: "hidden",
  overflowWrap: "anywhere",
});

const TONES = { error: "var(--bad)", warning: "var(--wait)", info: "var(--news)" };

/** Makes the whole row clickable although only the title is a link. */
const COVER = { content: '""', position: "absolute", inset: 0, borderRadius: 1 };

function Title({ item, onRead, onLeave }: NotificationItemProps) {
  const isUnread = item.readAt === null;
  const place = linkOf(item);
  const title = (
    <>
      {isUnread && (
        <Box component="span" sx={visuallyHidden}>
          {t`Unread:`}{" "}
        </Box>
      )}
      {withLocalTimes(item.title)}
    </>
  );
  return (
    <Typography
      component="p"
      sx={{ fontWeight: isUnread ? 650 : 450, lineHeight: 1.4, ...lines(3) }}
    >
      {place === null ? (
        title
      ) : (
        <Link
          component={RouterLink}
          to={place}
          color="inherit"
          underline="none"
          onClick={() => {
            if (isUnread) onRead(item.id);
            onLeave?.();
          }}
          sx={{ "&::after": COVER, "&:focus-visible": { outline: "none" } }}
        >
          {title}
        </Link>
      )}
    </Typography>
  );
}

function ReadButton({ item, onRead }: NotificationItemProps) {
  return (
    <Tooltip title={t`Mark as read`}>
      <IconButton
        size="small"
        aria-label={t`Mark as read: ${{ title: item.title }}`}
        onClick={() => {
          onRead(item.id);
        }}
        sx={{ position: "relative", flexShrink: 0 }}
      >
        <CheckIcon />
      </IconButton>
    </Tooltip>
  );
}

/** A notification in a list, linked to its subject. */
export function NotificationItem(props: NotificationItemProps) {
  const { item, institution } = props;
  const { icon: Icon, tone, label } = KINDS[item.kind];
  const isUnread = item.readAt === null;
  return (
    <Stack
      component="li"
      direction="row"
      sx={{
        position: "relative",
        gap: 1.5,
        px: 2,
        py: 1.5,
        alignItems: "flex-start",
        borderBottom: 1,
        borderColor: "divider",
        "&:last-of-type": { borderBottom: 0 },
        "&:hover": { bgcolor: "action.hover" },
        "&:has(a:focus-visible)": { outline: 2, outlineColor: "primary.main", outlineOffset: -2 },
      }}
    >
      <Icon
        color={isUnread ? TONES[tone] : "var(--muted)"}
        aria-hidden
        style={{ flexShrink: 0, marginTop: 3 }}
      />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Title {...props} />
        <Typography variant="body2" color="textSecondary" sx={lines(4)}>
          {withLocalTimes(item.body)}
        </Typography>
        <Typography variant="caption" color="textSecondary" component="p" sx={{ mt: 0.5 }}>
          {label} · <RelativeTime at={item.createdAt} />
          {institution && ` · ${institution}`}
        </Typography>
      </Box>
      {isUnread && <ReadButton {...props} />}
    </Stack>
  );
}
