import { t } from "@lingui/core/macro";
import type { Schemas } from "../../api/types";

export type Template = Schemas["MailTemplate"];
export type Kind = Schemas["MailKind"];

/** Whose texts they are: a product's, or an institution's for products without their own. */
export type Owner = { productId: string } | { institutionId: string };

export const templatesPath = (owner: Owner): string =>
  "productId" in owner
    ? `/api/products/${owner.productId}/mail-templates`
    : `/api/institutions/${owner.institutionId}/mail-templates`;

export const templatePath = (owner: Owner, kind: Kind): string =>
  `${templatesPath(owner)}/${kind.toLowerCase()}`;

export const KINDS: Record<Kind, { label: string; when: string }> = {
  Issued: { label: t`License issued`, when: t`A license was issued.` },
  Renewed: { label: t`License renewed`, when: t`The term of a license was extended.` },
  Expiring: {
    label: t`License expiring`,
    when: t`A license ends soon; on the reminder days of the institution.`,
  },
  Revoked: { label: t`License revoked`, when: t`A license was permanently revoked.` },
};

const ORIGINS: Record<"Own" | "Institution" | "BuiltIn", (languages: string) => string> = {
  Own: (languages) => t`Own text: ${languages}`,
  Institution: (languages) => t`Text of the institution: ${languages}`,
  BuiltIn: (languages) => t`Built-in text: ${languages}`,
};

/** Where the text comes from, and the languages it exists in. */
export function originOf({ productId, effective }: Template): string {
  const { source } = effective;
  const isOwn = source === "Product" || (source === "Institution" && productId === null);
  return ORIGINS[isOwn ? "Own" : source](Object.keys(effective.translations).join(", "));
}

/** What the editor holds: the text in one language, and the sender. */
export interface Draft {
  locale: string;
  subject: string;
  body: string;
  senderName: string;
  replyTo: string;
}

/** The text in a language as it is sent now; empty for a new language. */
export function draftOf(template: Template, locale: string): Draft {
  const { senderName, replyTo, effective } = template;
  const text = effective.translations[locale] ?? { subject: "", body: "" };
  return { locale, ...text, senderName: senderName ?? "", replyTo: replyTo ?? "" };
}

export const changeOf = (draft: Draft): Schemas["MailTemplateChange"] => ({
  senderName: draft.senderName.trim() || null,
  replyTo: draft.replyTo.trim() || null,
  translations: { [draft.locale]: { subject: draft.subject, body: draft.body } },
});

/** What the preview and the test show; undefined while there is no text. */
export const trialOf = (draft: Draft): Schemas["TryMailTemplateRequest"] | undefined =>
  draft.subject.trim() && draft.body.trim()
    ? {
        translation: { subject: draft.subject, body: draft.body },
        locale: draft.locale,
        ...(draft.senderName.trim() && { senderName: draft.senderName.trim() }),
        ...(draft.replyTo.trim() && { replyTo: draft.replyTo.trim() }),
      }
    : undefined;
