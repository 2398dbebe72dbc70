import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router";
import { eventTone, eventWords, type EventTone } from "./events";
import { dateTime, relative } from "./formats";

export interface TimelineEvent {
  id: string;
  kind: string;
  occurredAt: string;
  /** Text to show instead of the default text of the event kind. */
  sentence?: string;
  /** Display name of the actor. */
  actor?: string | null;
  /** Display name of the subject. */
  subject?: string | null;
  to?: string | null;
}

const COLORS: Record<EventTone, string> = {
  success: "success.main",
  warning: "warning.main",
  error: "error.main",
  info: "info.main",
  neutral: "text.secondary",
};

function EventItem({ event, last }: { event: TimelineEvent; last: boolean }) {
  const sentence = event.sentence ?? eventWords(event.kind);
  const about = [event.subject, event.actor].filter(Boolean).join(" · ");
  return (
    <Stack component="li" direction="row" sx={{ gap: 1.5 }}>
      <Stack aria-hidden sx={{ alignItems: "center", pt: 0.75 }}>
        <Box
          sx={{
            width: 9,
            height: 9,
            borderRadius: "50%",
            flexShrink: 0,
            bgcolor: COLORS[eventTone(event.kind)],
          }}
        />
        {!last && <Box sx={{ width: "1px", flex: 1, bgcolor: "divider", mt: 0.75 }} />}
      </Stack>
      <Stack
        direction="row"
        sx={{ flex: 1, minWidth: 0, gap: 1.5, pb: last ? 0 : 1.5, justifyContent: "space-between" }}
      >
        <Box sx={{ minWidth: 0 }}>
          <Typography
            variant="body2"
            component="p"
            sx={{ fontWeight: 550, overflowWrap: "anywhere" }}
          >
            {event.to ? (
              <Link component={RouterLink} to={event.to} underline="hover" color="inherit">
                {sentence}
              </Link>
            ) : (
              sentence
            )}
          </Typography>
          {about && (
            <Typography
              variant="caption"
              color="textSecondary"
              component="p"
              sx={{ overflowWrap: "anywhere" }}
            >
              {about}
            </Typography>
          )}
        </Box>
        <Typography
          variant="caption"
          color="textSecondary"
          component="time"
          dateTime={event.occurredAt}
          title={dateTime(event.occurredAt)}
          sx={{ flexShrink: 0, lineHeight: 1.7 }}
        >
          {relative(event.occurredAt)}
        </Typography>
      </Stack>
    </Stack>
  );
}

/** A list of events, newest first; undefined while loading. */
export const Timeline = ({ events }: { events: TimelineEvent[] | undefined }) => (
  <Stack component="ol" sx={{ m: 0, p: 0, listStyle: "none" }} aria-busy={!events}>
    {events?.map((event, place) => (
      <EventItem key={event.id} event={event} last={place === events.length - 1} />
    )) ??
      [0, 1, 2, 3].map((place) => (
        <li key={place}>
          <Skeleton height={36} />
        </li>
      ))}
  </Stack>
);
