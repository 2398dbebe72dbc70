import { t } from "@lingui/core/macro";
import CardContent from "@mui/material/CardContent";
import type { Schemas } from "../../api/types";
import { actorWords, eventLink } from "../../ui/events";
import { utcTime } from "../../ui/formats";
import { eventsOf } from "../../ui/licenseEvents";
import { DataList } from "../../ui/list/DataList";
import { useListContext } from "../../ui/list/useList";
import { Timeline, type TimelineEvent } from "../../ui/Timeline";

type Clock = Schemas["ProductClock"];
type ClockEvent = Schemas["ClockEvent"];

const REFRESH_MS = 15_000;
const SHOWN = 10;

interface ClockEventsProps {
  clock: Clock;
  /** False once it is being removed, and its events with it. */
  enabled: boolean;
}

/** What happened by a test clock, newest first, at its instants. */
export const ClockEvents = ({ clock, enabled }: ClockEventsProps) => (
  <DataList
    path={`test-clocks/${clock.id}/events`}
    part={t`What happened by the test clock`}
    sort="-occurredAt"
    pageSize={SHOWN}
    inUrl={false}
    enabled={enabled}
    refetchInterval={REFRESH_MS}
  >
    <ClockTimeline clock={clock} />
  </DataList>
);

function ClockTimeline({ clock }: { clock: Clock }) {
  const { items } = useListContext<ClockEvent>();
  return (
    <CardContent>
      <Timeline events={items && stepsOf(items, clock)} />
    </CardContent>
  );
}

/** That somebody moved the clock; undefined for everything else. */
function movedText({ changes }: ClockEvent): string | undefined {
  const moved = changes?.["testClock"] as [string | null, string | null] | undefined;
  if (!moved) return undefined;
  const [from, to] = moved;
  if (from === null) return t`The test clock was set up`;
  return to === null
    ? t`The test clock was sent to the next event`
    : t`The test clock was sent to ${{ time: utcTime(to) }}`;
}

/** The events as they stand in the timeline: which license it was, and when by the clock. */
const stepsOf = (events: readonly ClockEvent[], clock: Clock): TimelineEvent[] =>
  eventsOf(events).map((event, place) => {
    const item = events[place] as ClockEvent;
    const { type, at, subjectId, data } = item;
    const moved = movedText(item);
    const name = typeof data["licenseName"] === "string" ? data["licenseName"] : null;
    return {
      ...event,
      occurredAt: at,
      when: utcTime(at),
      ...(moved === undefined
        ? {
            subject: [name, event.subject].filter(Boolean).join(" · "),
            to: eventLink({ ...clock, kind: type, subjectId, data }),
          }
        : { sentence: moved, subject: actorWords(item.actorKind, item.actorName) }),
    };
  });
