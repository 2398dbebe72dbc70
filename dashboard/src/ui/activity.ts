import { t } from "@lingui/core/macro";
import type { Schemas } from "../api/types";
import { actorWords, eventLink } from "./events";
import { doerOf, sentenceOf } from "./licenseEvents";
import type { TimelineEvent } from "./Timeline";

type Activity = Schemas["Activity"];

/** Whether the sentence of the timeline of a license says it all with the name of the device. */
const ALIKE: readonly string[] = [
  "license.created",
  "license.updated",
  "license.maintenance_renewed",
  "license.revoked",
  "license.restored",
  "license.rekeyed",
  "license.suspended",
  "license.noted",
  "customer.noted",
  "license.reinstated",
  "license.expired",
  "activation.created",
  "activation.pending",
  "activation.approved",
  "activation.blocked",
  "activation.unblocked",
  "activation.deleted",
  "activation.reclaimed",
  "activation.rekeyed",
  "activation.change_accepted",
  "activation.over_limit",
  "session.started",
];

type DoneBy = (who: string, name: string) => string;

/** Sentences that begin with who did it, and name what. */
const DONE_BY: Partial<Record<string, DoneBy>> = {
  "license.renewed": (who) => t`${who} extended the license`,
  "license.mailed": (who) => t`${who} emailed the license`,
  "license.converted": (who) => t`${who} converted the license`,
  "license.deleted": (who) => t`${who} deleted the license`,
  "customer.created": (who, name) => t`${who} created customer ${name}`,
  "customer.updated": (who, name) => t`${who} changed customer ${name}`,
  "customer.deleted": (who, name) => t`${who} deleted customer ${name}`,
  "product.created": (who, name) => t`${who} created product ${name}`,
  "product.updated": (who, name) => t`${who} changed product ${name}`,
  "product.keys_generated": (who) => t`${who} generated RSA keys`,
  "product.keys_prepared": (who) => t`${who} prepared the next RSA keys`,
  "product.keys_rotated": (who) => t`${who} rotated the RSA keys`,
  "policy.created": (who, name) => t`${who} created policy ${name}`,
  "policy.updated": (who, name) => t`${who} changed policy ${name}`,
  "release.created": (who, name) => t`${who} created release ${name}`,
  "release.updated": (who, name) => t`${who} changed release ${name}`,
  "release.published": (who, name) => t`${who} published release ${name}`,
  "member.invited": (who, name) => t`${who} invited ${name}`,
  "member.joined": (_, name) => t`${name} joined`,
  "member.removed": (who, name) => t`${who} removed member ${name}`,
  "association.invited": (who, name) => t`${who} invited ${name}`,
  "institution.settings_changed": (who) => t`${who} changed the settings of the institution`,
};

/** The sentence for it, and what that leaves out; undefined for kinds without a sentence. */
function toldOf({ type, subjectName, licenseName, actorKind, actorName }: Activity) {
  const about = licenseName ?? subjectName;
  if (ALIKE.includes(type)) {
    const data = { deviceName: subjectName };
    return { sentence: sentenceOf({ type, data, actorKind, actorName }), subject: about };
  }
  const who = doerOf({ actorKind, actorName });
  const sentence = who === null ? undefined : DONE_BY[type]?.(who, subjectName ?? "");
  if (sentence === undefined) return undefined;
  // The sentence of a license does not name it, others name what they are about.
  return { sentence, subject: type.startsWith("license.") ? about : null };
}

/** Something that happened in an institution, as it stands in a timeline: what, to what, by whom. */
export function activityEvent(item: Activity, institutionId: string): TimelineEvent {
  const { id, type: kind, occurredAt } = item;
  return {
    id,
    kind,
    occurredAt,
    strong: item.subjectName,
    isTest: item.test,
    to: eventLink({
      kind,
      institutionId,
      subjectId: item.subjectId,
      productId: item.productId,
      data: { licenseId: item.licenseId },
    }),
    ...(toldOf(item) ?? {
      actor: actorWords(item.actorKind, item.actorName),
      subject: item.licenseName ?? item.subjectName,
    }),
  };
}
