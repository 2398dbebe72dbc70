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
  /** Whether it is about a Test product. */
  isTest?: boolean;
}

function EventItem({ event }: { event: TimelineEvent }) {
  const sentence = event.sentence ?? eventWords(event.kind);
  // Who does something to themselves, such as to join, is named once.
  const about = [...new Set([event.subject, event.actor])].filter(Boolean).join(" · ");
  return (
    <li className={styles.event} data-tone={eventTone(event.kind)}>
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
        {about && <p className={styles.about}>{about}</p>}
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
