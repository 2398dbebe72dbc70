import type { TimelineEvent } from "../Timeline";
import { detailsOf } from "./details";
import { sentenceOf, type LicenseEvent } from "./sentences";

/** The events of a license as they stand in a timeline. */
export const eventsOf = (events: readonly LicenseEvent[]): TimelineEvent[] =>
  events.map((event) => ({
    id: event.id,
    kind: event.type,
    occurredAt: event.occurredAt,
    sentence: sentenceOf(event),
    subject: detailsOf(event),
  }));
