import type { Schemas } from "../../api/types";

export type Template = Schemas["MailTemplate"];
export type Kind = Schemas["MailKind"];

export const TEMPLATES = "/api/products/{productId}/mail-templates";
export const TEMPLATE = `${TEMPLATES}/{kind}` as const;

export const KINDS: Record<Kind, { label: string; when: string }> = {
  Issued: { label: "License issued", when: "A license was issued." },
  Renewed: { label: "License renewed", when: "The term of a license was extended." },
  Expiring: {
    label: "License expiring",
    when: "A license ends soon; on the reminder days of the institution.",
  },
  Revoked: { label: "License revoked", when: "A license was permanently revoked." },
};

const SOURCES: Record<Schemas["TemplateSource"], string> = {
  Product: "Own text",
  Institution: "Text of the institution",
  BuiltIn: "Built-in text",
};

/** Where the text comes from, and the languages it exists in. */
export const originOf = ({ effective }: Template): string =>
  `${SOURCES[effective.source]}: ${Object.keys(effective.translations).join(", ")}`;

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
