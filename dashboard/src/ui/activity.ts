import type { Schemas } from "../api/types";
import { actorWords, eventLink } from "./events";
import type { TimelineEvent } from "./Timeline";

/** Something that happened in an institution, as it stands in a timeline: what, to what, by whom. */
export const activityEvent = (item: Schemas["Activity"], institutionId: string): TimelineEvent => ({
  id: item.id,
  kind: item.type,
  occurredAt: item.occurredAt,
  actor: actorWords(item.actorKind, item.actorName),
  subject: item.licenseName ?? item.subjectName,
  isTest: item.test,
  to: eventLink({
    kind: item.type,
    institutionId,
    subjectId: item.subjectId,
    productId: item.productId,
    data: { licenseId: item.licenseId },
  }),
});
