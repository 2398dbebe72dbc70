import { words } from "./labels";

export type EventTone = "success" | "warning" | "error" | "info" | "neutral";

type Entry = readonly [sentence: string, tone?: EventTone];

/** What each kind of event tells, for lists, timelines and filters. */
const EVENTS: Record<string, Entry> = {
  "access_attempt.detected": ["Access attempt from another machine", "error"],
  "activation.approved": ["Device approved", "success"],
  "activation.blocked": ["Device blocked", "error"],
  "activation.created": ["Device activated", "success"],
  "activation.deleted": ["Device gave its seat back"],
  "activation.limit_reached": ["All seats taken, a device was refused", "warning"],
  "activation.pending": ["Device pending approval", "warning"],
  "activation.unblocked": ["Device unblocked", "success"],
  "api_key.created": ["API key created", "info"],
  "api_key.revoked": ["API key revoked", "error"],
  "api_key.rotated": ["API key given a new secret", "info"],
  "entitlement_set.created": ["Entitlement set created", "info"],
  "entitlement_set.deleted": ["Entitlement set deleted", "error"],
  "entitlement_set.updated": ["Entitlement set changed"],
  "feature.created": ["Feature created", "info"],
  "feature.deleted": ["Feature deleted", "error"],
  "feature.priced": ["Price of a feature set", "info"],
  "feature.updated": ["Feature changed"],
  "institution.created": ["Institution created", "info"],
  "institution.plan_changed": ["Plan changed", "info"],
  "institution.settings_changed": ["Settings of the institution changed"],
  "institution.updated": ["Institution renamed"],
  "invitation.resent": ["Invitation sent again"],
  "invitation.revoked": ["Invitation revoked", "error"],
  "license.converted": ["License converted", "success"],
  "license.created": ["License issued", "success"],
  "license.deleted": ["License deleted", "error"],
  "license.expired": ["License expired", "error"],
  "license.expiring": ["License expires soon", "warning"],
  "license.reinstated": ["License reinstated", "success"],
  "license.renewed": ["License renewed", "success"],
  "license.revoked": ["License revoked", "error"],
  "license.suspended": ["License suspended", "warning"],
  "license.updated": ["License changed"],
  "member.invited": ["Member invited", "info"],
  "member.joined": ["Member joined", "success"],
  "member.removed": ["Member gone", "error"],
  "member.updated": ["Role or assignments of a member changed"],
  "meter.adjusted": ["Balance adjusted", "info"],
  "meter.depleted": ["Balance used up", "error"],
  "meter.granted": ["Balance topped up", "success"],
  "meter.low_balance": ["Balance is low", "warning"],
  "product.created": ["Product created", "info"],
  "product.deleted": ["Product deleted", "error"],
  "product.key_revoked": ["Product key revoked", "error"],
  "product.key_rotated": ["New product key made", "info"],
  "product.keys_generated": ["RSA keys generated", "info"],
  "product.keys_rotated": ["RSA keys rotated", "warning"],
  "product.updated": ["Product changed"],
  "release.created": ["Release created", "info"],
  "release.deleted": ["Release deleted", "error"],
  "release.published": ["Release published", "success"],
  "release.updated": ["Release changed"],
  "release_file.added": ["File added to a release", "info"],
  "release_file.deleted": ["File of a release deleted", "error"],
  "session.ended": ["Session ended"],
  "session.limit_reached": ["All seats in use, a session was refused", "warning"],
  "session.started": ["Session started", "success"],
  "user.all_sessions_ended": ["Signed out everywhere"],
  "user.email_verified": ["E-mail address verified", "success"],
  "user.password_changed": ["Password changed", "info"],
  "user.password_reset": ["Password reset", "warning"],
  "user.recovery_code_used": ["Recovery code used", "warning"],
  "user.recovery_codes_renewed": ["Recovery codes renewed", "info"],
  "user.registered": ["Account made", "info"],
  "user.session_ended": ["Session of an account ended"],
  "user.totp_disabled": ["Second factor turned off", "warning"],
  "user.totp_enabled": ["Second factor turned on", "success"],
  "webhook.created": ["Webhook created", "info"],
  "webhook.deleted": ["Webhook deleted", "error"],
  "webhook.disabled": ["Webhook disabled", "error"],
  "webhook.secret_rotated": ["Webhook given a new secret", "info"],
  "webhook.test": ["Webhook tested"],
  "webhook.updated": ["Webhook changed"],
};

/** All kinds that are known here, in alphabetical order. */
export const EVENT_KINDS: readonly string[] = Object.keys(EVENTS);

/** `license.revoked` as a sentence: "License revoked". */
export const eventWords = (kind: string): string => EVENTS[kind]?.[0] ?? words(kind);

export const eventTone = (kind: string): EventTone => EVENTS[kind]?.[1] ?? "neutral";

/** Who caused an event; null where the caller is not told. */
export function actorWords(
  kind: string | null | undefined,
  name: string | null | undefined,
): string | null {
  if (!kind) return null;
  if (kind === "User") return name ?? "A person";
  if (kind === "ApiKey") return name ? `API key ${name}` : "An API key";
  return kind === "ProductKey" ? "An application" : "Licet";
}

interface Subject {
  kind: string;
  institutionId: string;
  subjectId: string;
  productId: string | null;
  data?: Readonly<Record<string, unknown>>;
}

/** The page of what an event is about; null where there is none, or it is gone. */
export function eventLink({ kind, institutionId, subjectId, productId, data }: Subject) {
  const [family, verb] = kind.split(".");
  if (verb === "deleted" && family !== "activation" && family !== "release_file")
    return family === "license" || family === "product" || family === "webhook"
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
    case "member":
      return `/institutions/${institutionId}/members`;
    case "invitation":
      return `/institutions/${institutionId}/invitations`;
    case "institution":
      return `/institutions/${institutionId}`;
    case "api_key":
      return "/api-keys";
    case "webhook":
      return `/webhooks/${subjectId}`;
    default:
      return null;
  }
}
