import { t } from "@lingui/core/macro";
import type { Schemas } from "../api/types";
import { words } from "./labels";
import { settingsPath } from "./paths";

export type EventKind = Schemas["EventKind"];

export type EventTone = "success" | "warning" | "error" | "info" | "neutral";

type Entry = readonly [sentence: string, tone?: EventTone];

/** A short text and a tone for each event kind, for lists, timelines and filters. */
const EVENTS: Record<EventKind, Entry> = {
  "access_attempt.acknowledged": [t`Access attempt marked as reviewed`],
  "access_attempt.reopened": [t`Access attempt marked as not reviewed`],
  "access_attempt.detected": [t`Access attempt from another device`, "error"],
  "activation.approved": [t`Device approved`, "success"],
  "activation.blocked": [t`Device blocked`, "error"],
  "activation.change_accepted": [t`Changes of a device accepted`],
  "activation.clone_detected": [t`Two devices with one hardware ID`, "error"],
  "activation.created": [t`Device activated`, "success"],
  "activation.deleted": [t`Device removed`],
  "activation.drifted": [t`Device changed and recognized`],
  "activation.limit_reached": [t`Seat limit reached, device rejected`, "warning"],
  "activation.offline_answered": [t`Offline request answered`, "success"],
  "activation.offline_rejected": [t`Offline request rejected`, "error"],
  "activation.offline_requested": [t`Offline activation requested`, "warning"],
  "activation.over_limit": [t`Device over the limit`, "warning"],
  "activation.pending": [t`Device pending approval`, "warning"],
  "activation.reclaimed": [t`Seat of an idle device reclaimed`],
  "activation.rekeyed": [t`Device took a new key`, "warning"],
  "activation.unblocked": [t`Device unblocked`, "success"],
  "api_key.created": [t`API key created`, "info"],
  "api_key.revoked": [t`API key revoked`, "error"],
  "api_key.rotated": [t`API key rotated`, "info"],
  "archive.created": [t`Old records archived`],
  "archive.rewritten": [t`Personal data erased from old records`],
  "association.accepted": [t`Institution associated`, "success"],
  "association.invited": [t`Institution invited`, "info"],
  "association.removed": [t`Association removed`, "error"],
  "association.resent": [t`Invitation of an institution resent`],
  "connector.created": [t`Connector created`, "info"],
  "connector.deleted": [t`Connector deleted`, "error"],
  "connector.event_replayed": [t`Event of a connector replayed`],
  "connector.rejected": [t`Message to a connector rejected`, "error"],
  "connector.secret_rotated": [t`Signing secret of a connector rotated`, "info"],
  "connector.updated": [t`Connector updated`],
  "customer.created": [t`Customer created`, "info"],
  "customer.deleted": [t`Customer deleted`, "error"],
  "customer.erased": [t`Personal data erased`, "error"],
  "customer.merged": [t`Customers merged`, "info"],
  "customer.noted": [t`Note about a customer`, "info"],
  "customer.portal_link_sent": [t`Portal link sent to customer`, "info"],
  "customer.portal_viewed": [t`Portal viewed as customer`, "info"],
  "customer.updated": [t`Customer updated`],
  "enrollment_key.created": [t`Deployment key created`, "info"],
  "enrollment_key.deleted": [t`Deployment key deleted`, "error"],
  "entitlement_set.created": [t`Entitlement set created`, "info"],
  "entitlement_set.deleted": [t`Entitlement set deleted`, "error"],
  "entitlement_set.updated": [t`Entitlement set updated`],
  "feature.created": [t`Feature created`, "info"],
  "feature.deleted": [t`Feature deleted`, "error"],
  "feature.priced": [t`Feature price set`, "info"],
  "feature.updated": [t`Feature updated`],
  "instance.clock_confirmed": [t`Clock of the server confirmed`, "info"],
  "instance.repaired": [t`Rows repaired by the doctor`, "warning"],
  "instance.master_key_rotated": [t`Master key rotated`, "info"],
  "institution.created": [t`Institution created`, "info"],
  "institution.deleted": [t`Institution deleted`, "error"],
  "institution.plan_changed": [t`Plan changed`, "info"],
  "institution.settings_changed": [t`Institution settings changed`],
  "institution.sso_changed": [t`Single sign-on changed`],
  "institution.sso_domain_confirmed": [t`Domain confirmed for single sign-on`],
  "institution.sso_domain_mailed": [t`Confirmation of a domain requested by email`],
  "institution.sso_removed": [t`Single sign-on removed`, "error"],
  "institution.updated": [t`Institution renamed`],
  "invitation.resent": [t`Invitation resent`],
  "invitation.revoked": [t`Invitation revoked`, "error"],
  "lease.acknowledged": [t`Device may borrow or reserve again`, "info"],
  "lease.ended": [t`Borrowed seat or reservation ended`],
  "lease.forked": [t`Borrowed seat or reservation used by a copy`, "warning"],
  "lease.issued": [t`Seat borrowed or credits reserved`, "success"],
  "lease.recalled": [t`Borrowed seat or reservation recalled`, "warning"],
  "lease.returned": [t`Borrowed seat or reservation returned`, "info"],
  "license.converted": [t`License converted`, "success"],
  "license.created": [t`License issued`, "success"],
  "license.deleted": [t`License deleted`, "error"],
  "license.events_omitted": [t`Further events counted`],
  "license.expired": [t`License expired`, "error"],
  "license.expiring": [t`License expiring soon`, "warning"],
  "license.maintenance_renewed": [t`Maintenance renewed`, "success"],
  "license.mail_failed": [t`Email about a license failed`, "error"],
  "license.mailed": [t`License emailed`, "info"],
  "license.noted": [t`Note about a license`, "info"],
  "license.reinstated": [t`License reinstated`, "success"],
  "license.renewed": [t`License renewed`, "success"],
  "license.restored": [t`License restored`, "success"],
  "license.rekeyed": [t`License key replaced`, "warning"],
  "license.revoked": [t`License revoked`, "error"],
  "license.suspended": [t`License suspended`, "warning"],
  "license.updated": [t`License updated`],
  "mail_template.deleted": [t`Email template deleted`, "error"],
  "mail_template.updated": [t`Email template updated`],
  "member.invited": [t`Member invited`, "info"],
  "member.joined": [t`Member joined`, "success"],
  "member.removed": [t`Member removed`, "error"],
  "member.updated": [t`Member role or assignments changed`],
  "meter.adjusted": [t`Balance adjusted`, "info"],
  "meter.depleted": [t`Balance used up`, "error"],
  "meter.granted": [t`Balance granted`, "success"],
  "meter.low_balance": [t`Balance low`, "warning"],
  "meter.wallet_restored": [t`Lost wallet repaired`, "success"],
  "order.canceled": [t`Order canceled`, "warning"],
  "order.failed": [t`Order failed, with a reason`, "error"],
  "order.fulfilled": [t`Order fulfilled`, "success"],
  "order.refunded": [t`Order refunded`, "error"],
  "order.unmatched": [t`Order without a rule`, "warning"],
  "order.updated": [t`Order waits`],
  "order_report.created": [t`Address for reports added`, "info"],
  "order_report.deleted": [t`Address for reports removed`, "error"],
  "order_report.stopped": [t`Reports stopped by their recipient`, "warning"],
  "order_report.updated": [t`Reports to an address changed`],
  "policy.created": [t`Policy created`, "info"],
  "policy.deleted": [t`Policy deleted`, "error"],
  "policy.updated": [t`Policy updated`],
  "product.created": [t`Product created`, "info"],
  "product.deleted": [t`Product deleted`, "error"],
  "product.key_revoked": [t`Product key revoked`, "error"],
  "product.key_rotated": [t`Product key rotated`, "info"],
  "product.keys_discarded": [t`Next RSA keys discarded`, "warning"],
  "product.keys_generated": [t`RSA keys generated`, "info"],
  "product.keys_prepared": [t`Next RSA keys prepared`, "info"],
  "product.keys_rotated": [t`RSA keys rotated`, "warning"],
  "product.licenses_imported": [t`Licenses imported`, "info"],
  "product.updated": [t`Product updated`],
  "release.created": [t`Release created`, "info"],
  "release.deleted": [t`Release deleted`, "error"],
  "release.published": [t`Release published`, "success"],
  "release.updated": [t`Release updated`],
  "release_file.added": [t`Release file added`, "info"],
  "release_file.deleted": [t`Release file deleted`, "error"],
  "session.ended": [t`Session ended`],
  "session.limit_reached": [t`Seat limit reached, session rejected`, "warning"],
  "session.started": [t`Session started`, "success"],
  "user.all_sessions_ended": [t`Signed out everywhere`],
  "user.disabled": [t`Account disabled`, "warning"],
  "user.email_verified": [t`Email address verified`, "success"],
  "user.enabled": [t`Account enabled`, "success"],
  "user.passkey_added": [t`Passkey added`, "success"],
  "user.passkey_removed": [t`Passkey removed`, "error"],
  "user.password_changed": [t`Password changed`, "info"],
  "user.password_reset": [t`Password reset`, "warning"],
  "user.recovery_code_used": [t`Recovery code used`, "warning"],
  "user.recovery_codes_renewed": [t`Recovery codes renewed`, "info"],
  "user.registered": [t`Account created`, "info"],
  "user.session_ended": [t`Signed out of a session`],
  "user.totp_disabled": [t`Second factor turned off`, "warning"],
  "user.totp_enabled": [t`Second factor turned on`, "success"],
  "webhook.created": [t`Webhook created`, "info"],
  "webhook.deleted": [t`Webhook deleted`, "error"],
  "webhook.delivery_replayed": [t`Webhook delivery replayed`],
  "webhook.disabled": [t`Webhook disabled`, "error"],
  "webhook.secret_rotated": [t`Webhook secret rotated`, "info"],
  "webhook.test": [t`Webhook tested`],
  "webhook.updated": [t`Webhook updated`],
};

/** All event kinds in alphabetical order. */
export const EVENT_KINDS = Object.keys(EVENTS) as EventKind[];

/** A newer server may know more kinds than this page. */
const entryOf = (kind: string): Entry | undefined =>
  (EVENTS as Partial<Record<string, Entry>>)[kind];

/** The text for an event kind: "License revoked" for `license.revoked`. */
export const eventWords = (kind: string): string => entryOf(kind)?.[0] ?? words(kind);

export const eventTone = (kind: string): EventTone => entryOf(kind)?.[1] ?? "neutral";

/** Display name of the actor of an event; null if unknown to the user. */
export function actorWords(
  kind: string | null | undefined,
  name: string | null | undefined,
): string | null {
  if (!kind) return null;
  if (kind === "User") return name ?? t`A user`;
  if (kind === "ApiKey") return name ? t`API key ${name}` : t`An API key`;
  if (kind === "Connector") return name ?? t`A connector`;
  if (kind === "Console") return t`The server’s console`;
  return kind === "ProductKey" ? t`An application` : "Licet";
}

interface Subject {
  kind: string;
  institutionId: string;
  subjectId: string;
  productId: string | null;
  data?: Readonly<Record<string, unknown>>;
}

/** What has a page of its own, which is gone with it. */
const UNLINKED_WHEN_DELETED = [
  "connector",
  "customer",
  "institution",
  "license",
  "product",
  "webhook",
];

/** The page of an event's subject; null if there is none or it was deleted. */
export function eventLink({ kind, institutionId, subjectId, productId, data }: Subject) {
  const [family, verb] = kind.split(".");
  if (verb === "deleted" && family !== "activation" && family !== "release_file")
    return UNLINKED_WHEN_DELETED.includes(family ?? "")
      ? null
      : productId && `/products/${productId}`;
  const license = data?.["licenseId"];
  switch (family) {
    case "license":
    case "meter":
      return `/licenses/${subjectId}`;
    case "activation":
    case "session":
    case "access_attempt":
      return typeof license === "string" ? `/licenses/${license}` : null;
    case "product":
    case "feature":
    case "entitlement_set":
    case "release":
    case "release_file":
      return productId && `/products/${productId}`;
    case "association":
      return productId ? `/products/${productId}/associations` : "/received-licenses";
    case "member":
      return settingsPath(institutionId, "team");
    case "invitation":
      return settingsPath(institutionId, "team");
    case "institution":
      return `/institutions/${institutionId}`;
    case "api_key":
      return settingsPath(institutionId, "api-keys");
    case "connector":
      return `/connectors/${subjectId}`;
    case "customer":
      return `/customers/${subjectId}`;
    case "order":
      return `/orders/${subjectId}`;
    case "webhook":
      return `/webhooks/${subjectId}`;
    default:
      return null;
  }
}
