import { plural, t } from "@lingui/core/macro";
import type { Schemas } from "../api/types";
import { dateTime, number } from "../ui/formats";
import { ROLE_LABELS } from "../ui/labels";

type Facts = Schemas["NoticeFacts"];

/** What a notification says. */
interface Sentences {
  title: string;
  body: string;
  /** What a server said, which is English; undefined without such words. */
  cited?: string | undefined;
}

const quoted = (name: string) => t`“${name}”`;
const deletedLicense = () => t`a deleted license`;

const licenseOf = ({ license }: Facts) => (license ? quoted(license) : deletedLicense());

/** The license with its product and its holder: “Northwind” (Aurora, anna@example.com). */
function fullLicenseOf(facts: Facts): string {
  const more = [facts.product, facts.issuedTo].filter(Boolean).join(", ");
  return more ? `${licenseOf(facts)} (${more})` : licenseOf(facts);
}

function deviceOf({ device, hardwareId }: Facts): string {
  if (device) return hardwareId ? `${quoted(device)} (${hardwareId})` : quoted(device);
  return hardwareId ? t`the device ${hardwareId}` : t`a device`;
}

const inTime = (days: number) => plural(days, { 0: "today", one: "in # day", other: "in # days" });

function expiring(facts: Facts): Sentences | null {
  const { expirationDate, inGraceUntil, daysLeft } = facts;
  if (!expirationDate) return null;
  const [license, full] = [licenseOf(facts), fullLicenseOf(facts)];
  const end = dateTime(expirationDate);
  if (inGraceUntil)
    return {
      title: t`The term of ${license} has ended`,
      body: t`The term of ${full} ended on ${end}. The license stays active until its grace ends on ${{ grace: dateTime(inGraceUntil) }}. Extend its term to keep it active.`,
    };
  return {
    title:
      daysLeft == null
        ? t`${license} expires soon`
        : t`${license} expires ${{ when: inTime(daysLeft) }}`,
    body: t`${full} ends on ${end}. Extend its term to keep it active.`,
  };
}

function attempted(facts: Facts): Sentences | null {
  const { hardwareId, ipAddress, boundHardwareId } = facts;
  if (!hardwareId) return null;
  const [license, full] = [licenseOf(facts), fullLicenseOf(facts)];
  const tried = ipAddress
    ? t`The device ${hardwareId} at the IP address ${ipAddress} tried to use ${full}.`
    : t`The device ${hardwareId} tried to use ${full}.`;
  const denied = boundHardwareId
    ? t`The license is bound to ${boundHardwareId}; access was denied.`
    : t`Access was denied.`;
  return { title: t`Another device tried to use ${license}`, body: `${tried} ${denied}` };
}

function lowBalance(facts: Facts): Sentences | null {
  const { balance, threshold } = facts;
  if (balance == null || threshold == null) return null;
  const [license, full] = [licenseOf(facts), fullLicenseOf(facts)];
  const [left, limit] = [number(Number(balance)), number(Number(threshold))];
  return {
    title: t`The balance of ${license} is low`,
    body: t`${full} has ${left} left; the threshold is ${limit}. Grant more before it runs out.`,
  };
}

/** What is told to an institution that receives licenses, and to the vendor who offers them. */
interface Association {
  product: string;
  institution: string;
  vendor: string | null;
  invitee: string;
  withdrawn: boolean;
}

function associated(tell: (association: Association) => Sentences) {
  return (facts: Facts): Sentences | null => {
    const { product, institution, vendor, withdrawn } = facts;
    const invitee = facts.invitee ? quoted(facts.invitee) : facts.email;
    if (!product || !institution || !(vendor ?? invitee)) return null;
    return tell({
      product: quoted(product),
      institution: quoted(institution),
      vendor: vendor ? quoted(vendor) : null,
      invitee: invitee ?? "",
      withdrawn: withdrawn ?? false,
    });
  };
}

/** The sentences about each kind of event that notifies; null if a fact is missing for them. */
const SENTENCES: Partial<Record<Facts["event"], (facts: Facts) => Sentences | null>> = {
  "license.expiring": expiring,
  "license.expired": (facts) => {
    if (!facts.expirationDate) return null;
    const [license, full] = [licenseOf(facts), fullLicenseOf(facts)];
    return {
      title: t`${license} has expired`,
      body: t`The term of ${full} ended on ${{ end: dateTime(facts.expirationDate) }}. Extend it to make the license active again.`,
    };
  },
  "activation.created": (facts) => ({
    title: t`A device was activated under ${{ license: licenseOf(facts) }}`,
    body: t`${{ device: deviceOf(facts) }} now uses ${{ license: fullLicenseOf(facts) }}.`,
  }),
  "activation.offline_requested": (facts) => ({
    title: t`An offline request is waiting for approval under ${{ license: licenseOf(facts) }}`,
    body: t`${{ device: deviceOf(facts) }}, which has no connection, wants to use ${{ license: fullLicenseOf(facts) }}. Approve or reject the request.`,
  }),
  "activation.pending": (facts) => ({
    title: t`A device is waiting for approval under ${{ license: licenseOf(facts) }}`,
    body: t`${{ device: deviceOf(facts) }} wants to use ${{ license: fullLicenseOf(facts) }}. Approve or block it.`,
  }),
  "access_attempt.detected": attempted,
  "meter.low_balance": lowBalance,
  "meter.depleted": (facts) => ({
    title: t`The balance of ${{ license: licenseOf(facts) }} is used up`,
    body: t`${{ license: fullLicenseOf(facts) }} has nothing left. Grant more to let it be used.`,
  }),
  "webhook.disabled": ({ host }) => ({
    title: host ? t`A webhook to ${host} was disabled` : t`A webhook was disabled`,
    body: t`It receives no more events. See the responses to its last deliveries, then enable it again.`,
  }),
  "connector.rejected": ({ connector, reason }) =>
    connector
      ? {
          title: t`The connector ${{ name: quoted(connector) }} rejects the messages of its shop`,
          body: t`Its last messages were rejected, so sales may be missing. Find the cause below, then have the shop send them again.`,
          cited: reason ?? undefined,
        }
      : null,
  "license.mail_failed": (facts) =>
    facts.recipient
      ? {
          title: t`An email about ${{ license: licenseOf(facts) }} has failed`,
          body: t`The email to ${{ recipient: facts.recipient }} about ${{ license: fullLicenseOf(facts) }} did not arrive. Check the address, then send it again.`,
          cited: facts.error ?? undefined,
        }
      : null,
  "member.invited": ({ institution, role }) => {
    if (!institution || !role) return null;
    const name = quoted(institution);
    return {
      title: t`You are invited to ${name}`,
      body: t`You can join ${name} as ${{ role: roleOf(role) }}. The link to accept the invitation is in the email that was sent to you.`,
    };
  },
  "member.joined": ({ member, email, institution, role }) => {
    if (!member || !email || !institution || !role) return null;
    const [person, name] = [quoted(member), quoted(institution)];
    return {
      title: t`${person} joined ${name}`,
      body: t`${person} (${email}) is now a member of ${name}, as ${{ role: roleOf(role) }}.`,
    };
  },
  "association.invited": associated(({ vendor, institution, invitee, product }) =>
    vendor
      ? {
          title: t`${vendor} invites ${institution} to receive licenses`,
          body: t`An Owner of ${institution} can accept the invitation for ${product} under Received licenses.`,
        }
      : {
          title: t`${invitee} is invited to receive licenses for ${product}`,
          body: t`${invitee} has seven days to accept. Then you can issue licenses to it.`,
        },
  ),
  "association.accepted": associated(({ vendor, institution, invitee, product }) =>
    vendor
      ? {
          title: t`${institution} receives licenses from ${vendor}`,
          body: t`${institution} accepted the invitation for ${product}.`,
        }
      : {
          title: t`${invitee} accepted your invitation`,
          body: t`You can now issue licenses for ${product} to ${invitee}.`,
        },
  ),
  "association.removed": associated(({ vendor, institution, invitee, product, withdrawn }) => {
    if (vendor)
      return {
        title: t`${vendor} ended an association with ${institution}`,
        body: t`${institution} receives no more licenses for ${product}.`,
      };
    return withdrawn
      ? {
          title: t`The invitation of ${invitee} was withdrawn`,
          body: t`${invitee} can no longer accept it.`,
        }
      : {
          title: t`${invitee} receives no more licenses for ${product}`,
          body: t`The association was removed.`,
        };
  }),
};

const roleOf = (role: string): string =>
  role in ROLE_LABELS ? ROLE_LABELS[role as keyof typeof ROLE_LABELS] : role;

/** A sentence may begin with words for what has no name, such as "a device". */
const capitalized = (sentence: string) => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/**
 * What a notification says in the language of the reader. Without facts, as from an earlier
 * release, or with too few, it is the text of the API, which is English: `lang` says so.
 */
export function sentencesOf({
  facts,
  title,
  body,
}: Schemas["Notification"]): Sentences & { lang?: "en" } {
  const told = facts && SENTENCES[facts.event]?.(facts);
  if (!told) return { title, body, lang: "en" };
  return { ...told, title: capitalized(told.title), body: capitalized(told.body) };
}
