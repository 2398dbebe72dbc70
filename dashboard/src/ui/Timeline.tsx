import Skeleton from "@mui/material/Skeleton";
import { eventTone, eventWords } from "./events";
import { dateTime, relative } from "./formats";
import { Column } from "./layout/layout";
import { PageLink } from "./PageLink";
import { TestChip } from "./TestChip";
import styles from "./timeline.module.css";

export interface TimelineEvent {
  id: string;
  kind: string;
  occurredAt: string;
  /** When it happened, in words; by default how long ago. */
  when?: string;
  /** Text to show instead of the default text of the event kind. */
  sentence?: string;
  /** Display name of the actor. */
  actor?: string | null;
  /** Display name of the subject. */
  subject?: string | null;
  to?: string | null;
  /** What stands out, in the sentence or below it, where not the whole sentence does. */
  strong?: string | null;
  /** Whether it is about a Test product. */
  isTest?: boolean;
}

/** A sentence in which one name stands out. */
function Marked({ sentence, strong }: { sentence: string; strong: string }) {
  const place = strong === "" ? -1 : sentence.lastIndexOf(strong);
  if (place < 0) return sentence;
  return (
    <>
      {sentence.slice(0, place)}
      <b>{strong}</b>
      {sentence.slice(place + strong.length)}
    </>
  );
}

function EventItem({ event }: { event: TimelineEvent }) {
  const words = event.sentence ?? eventWords(event.kind);
  const isQuiet = event.strong !== undefined;
  const sentence = isQuiet ? <Marked sentence={words} strong={event.strong ?? ""} /> : words;
  // Who does something to themselves, such as to join, is named once.
  const about = [...new Set([event.subject, event.actor])].filter(Boolean).join(" · ");
  return (
    <li
      className={styles.event}
      data-tone={eventTone(event.kind)}
      data-quiet={isQuiet || undefined}
    >
      <div className={styles.what}>
        <p className={styles.sentence}>
          {event.to ? (
            <PageLink to={event.to} underline="hover" color="inherit">
              {sentence}
            </PageLink>
          ) : (
            sentence
          )}{" "}
          {event.isTest && <TestChip />}
        </p>
        {about && (
          <p
            className={styles.about}
            data-strong={!words.includes(event.strong ?? "") || undefined}
          >
            {about}
          </p>
        )}
      </div>
      <time dateTime={event.occurredAt} title={dateTime(event.occurredAt)}>
        {event.when ?? relative(event.occurredAt)}
      </time>
    </li>
  );
}

/** A list of events, newest first; undefined while loading. */
export const Timeline = ({ events }: { events: TimelineEvent[] | undefined }) => (
  <Column as="ol" aria-busy={!events}>
    {events?.map((event) => <EventItem key={event.id} event={event} />) ??
      [0, 1, 2, 3].map((place) => (
        <li key={place}>
          <Skeleton height={36} />
        </li>
      ))}
  </Column>
);
