import type { Schemas } from "../api/types";
import { words } from "./labels";

export type EventKind = Schemas["EventKind"];

export type EventTone = "success" | "warning" | "error" | "info" | "neutral";

type Entry = readonly [sentence: string, tone?: EventTone];

/** A short text and a tone for each event kind, for lists, timelines and filters. */
const EVENTS: Record<EventKind, Entry> = {
  "access_attempt.detected": ["Access attempt from another machine", "error"],
  "activation.approved": ["Device approved", "success"],
  "activation.blocked": ["Device blocked", "error"],
  "activation.created": ["Device activated", "success"],
  "activation.deleted": ["Device removed"],
  "activation.limit_reached": ["Seat limit reached, device rejected", "warning"],
  "activation.pending": ["Device pending approval", "warning"],
  "activation.unblocked": ["Device unblocked", "success"],
  "api_key.created": ["API key created", "info"],
  "api_key.revoked": ["API key revoked", "error"],
  "api_key.rotated": ["API key rotated", "info"],
  "archive.created": ["Old records archived"],
  "archive.rewritten": ["Person erased from old records"],
  "association.accepted": ["Institution associated", "success"],
  "association.invited": ["Institution invited", "info"],
  "association.removed": ["Association removed", "error"],
  "association.resent": ["Invitation of an institution resent"],
  "connector.created": ["Connector created", "info"],
  "connector.deleted": ["Connector deleted", "error"],
  "connector.secret_rotated": ["Signing secret of a connector rotated", "info"],
  "connector.updated": ["Connector updated"],
  "customer.created": ["Customer created", "info"],
  "customer.deleted": ["Customer deleted", "error"],
  "customer.erased": ["Person erased", "error"],
  "customer.merged": ["Customers merged", "info"],
  "customer.portal_link_sent": ["Portal link sent to customer", "info"],
  "customer.updated": ["Customer updated"],
  "entitlement_set.created": ["Entitlement set created", "info"],
  "entitlement_set.deleted": ["Entitlement set deleted", "error"],
  "entitlement_set.updated": ["Entitlement set updated"],
  "feature.created": ["Feature created", "info"],
  "feature.deleted": ["Feature deleted", "error"],
  "feature.priced": ["Feature price set", "info"],
  "feature.updated": ["Feature updated"],
  "instance.master_key_rotated": ["Master key rotated", "info"],
  "institution.created": ["Institution created", "info"],
  "institution.deleted": ["Institution deleted", "error"],
  "institution.plan_changed": ["Plan changed", "info"],
  "institution.settings_changed": ["Institution settings changed"],
  "institution.sso_changed": ["Single sign-on changed"],
  "institution.sso_domain_confirmed": ["Domain confirmed for single sign-on"],
  "institution.sso_removed": ["Single sign-on removed", "error"],
  "institution.updated": ["Institution renamed"],
  "invitation.resent": ["Invitation resent"],
  "invitation.revoked": ["Invitation revoked", "error"],
  "license.converted": ["License converted", "success"],
  "license.created": ["License issued", "success"],
  "license.deleted": ["License deleted", "error"],
  "license.events_omitted": ["Further events counted"],
  "license.expired": ["License expired", "error"],
  "license.expiring": ["License expiring soon", "warning"],
  "license.mail_failed": ["Email about a license failed", "error"],
  "license.mailed": ["License mailed", "info"],
  "license.reinstated": ["License reinstated", "success"],
  "license.renewed": ["License renewed", "success"],
  "license.revoked": ["License revoked", "error"],
  "license.suspended": ["License suspended", "warning"],
  "license.updated": ["License updated"],
  "mail_template.deleted": ["Email template deleted", "error"],
  "mail_template.updated": ["Email template updated"],
  "member.invited": ["Member invited", "info"],
  "member.joined": ["Member joined", "success"],
  "member.removed": ["Member removed", "error"],
  "member.updated": ["Member role or assignments changed"],
  "meter.adjusted": ["Balance adjusted", "info"],
  "meter.depleted": ["Balance used up", "error"],
  "meter.granted": ["Balance granted", "success"],
  "meter.low_balance": ["Balance low", "warning"],
  "meter.wallet_restored": ["Lost wallet repaired", "success"],
  "order.canceled": ["Order canceled", "warning"],
  "order.failed": ["Order failed, with a reason", "error"],
  "order.fulfilled": ["Order fulfilled", "success"],
  "order.refunded": ["Order refunded", "error"],
  "order.unmatched": ["Order without a rule", "warning"],
  "order.updated": ["Order waits"],
  "policy.created": ["Policy created", "info"],
  "policy.deleted": ["Policy deleted", "error"],
  "policy.updated": ["Policy updated"],
  "product.created": ["Product created", "info"],
  "product.deleted": ["Product deleted", "error"],
  "product.key_revoked": ["Product key revoked", "error"],
  "product.key_rotated": ["Product key rotated", "info"],
  "product.keys_generated": ["RSA keys generated", "info"],
  "product.keys_rotated": ["RSA keys rotated", "warning"],
  "product.licenses_imported": ["Licenses imported", "info"],
  "product.updated": ["Product updated"],
  "release.created": ["Release created", "info"],
  "release.deleted": ["Release deleted", "error"],
  "release.published": ["Release published", "success"],
  "release.updated": ["Release updated"],
  "release_file.added": ["Release file added", "info"],
  "release_file.deleted": ["Release file deleted", "error"],
  "session.ended": ["Session ended"],
  "session.limit_reached": ["Seat limit reached, session rejected", "warning"],
  "session.started": ["Session started", "success"],
  "user.all_sessions_ended": ["Signed out everywhere"],
  "user.disabled": ["Account disabled", "warning"],
  "user.email_verified": ["Email address verified", "success"],
  "user.enabled": ["Account enabled", "success"],
  "user.passkey_added": ["Passkey added", "success"],
  "user.passkey_removed": ["Passkey removed", "error"],
  "user.password_changed": ["Password changed", "info"],
  "user.password_reset": ["Password reset", "warning"],
  "user.recovery_code_used": ["Recovery code used", "warning"],
  "user.recovery_codes_renewed": ["Recovery codes renewed", "info"],
  "user.registered": ["Account created", "info"],
  "user.session_ended": ["Signed out of a session"],
  "user.totp_disabled": ["Second factor turned off", "warning"],
  "user.totp_enabled": ["Second factor turned on", "success"],
  "webhook.created": ["Webhook created", "info"],
  "webhook.deleted": ["Webhook deleted", "error"],
  "webhook.disabled": ["Webhook disabled", "error"],
  "webhook.secret_rotated": ["Webhook secret rotated", "info"],
  "webhook.test": ["Webhook tested"],
  "webhook.updated": ["Webhook updated"],
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
  if (kind === "User") return name ?? "A user";
  if (kind === "ApiKey") return name ? `API key ${name}` : "An API key";
  if (kind === "Console") return "The server’s console";
  return kind === "ProductKey" ? "An application" : "Licet";
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
      return `/institutions/${institutionId}/members`;
    case "invitation":
      return `/institutions/${institutionId}/invitations`;
    case "institution":
      return `/institutions/${institutionId}`;
    case "api_key":
      return "/settings/api-keys";
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
