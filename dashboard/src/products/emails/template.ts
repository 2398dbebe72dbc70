import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import { textOrNull } from "../../api/fields";
import type { Schemas } from "../../api/types";
import { languageName } from "../../ui/formats";

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
  Issued: {
    label: t`License issued`,
    when: t`To the customer, with key and download, as soon as a license is issued.`,
  },
  Renewed: {
    label: t`License renewed`,
    when: t`To the customer, with the new end date, when the term of a license is extended.`,
  },
  Expiring: {
    label: t`License expiring`,
    when: t`To the customer, with the end date, on the reminder days of the institution before a license expires.`,
  },
  Revoked: {
    label: t`License revoked`,
    when: t`To the customer, with the key, when a license is revoked and no longer works.`,
  },
};

const ORIGINS: Record<Template["effective"]["source"] | "Own", (languages: string) => string> = {
  Own: (languages) => t`Own text: ${languages}`,
  Product: (languages) => t`Own text: ${languages}`,
  Institution: (languages) => t`Text of the institution: ${languages}`,
  BuiltIn: (languages) => t`Built-in text: ${languages}`,
};

/** Whether the text belongs to the product or institution that is shown. */
export const isOwn = ({ productId, effective: { source } }: Template): boolean =>
  source === "Product" || (source === "Institution" && productId === null);

/** Where the text comes from, and the languages it exists in. */
export function originOf(template: Template): string {
  const { source, translations } = template.effective;
  const origin = isOwn(template) ? "Own" : source;
  return ORIGINS[origin](Object.keys(translations).map(languageName).join(", "));
}

/** What the editor holds: the text in one language, and the sender. */
export interface Draft {
  senderName: string;
  replyTo: string;
  translations: Record<string, Schemas["TranslationRequest"]>;
}

/** The language in which its text is shown first: that of the page, if there is one in it. */
export const languageOf = ({ effective }: Template): string =>
  i18n.locale in effective.translations ? i18n.locale : effective.defaultLocale;

/** The text in a language as it is sent now; empty for a new language. */
export function draftOf(template: Template, locale: string): Draft {
  const { senderName, replyTo, effective } = template;
  const text = effective.translations[locale] ?? { subject: "", body: "" };
  return {
    senderName: senderName ?? "",
    replyTo: replyTo ?? "",
    translations: { [locale]: text },
  };
}

export const changeOf = (draft: Draft): Schemas["MailTemplateChange"] => ({
  senderName: textOrNull(draft.senderName),
  replyTo: textOrNull(draft.replyTo),
  translations: draft.translations,
});

/** What the preview and the test show; undefined while there is no text. */
export function trialOf(
  draft: Draft,
  locale: string,
): Schemas["TryMailTemplateRequest"] | undefined {
  const { senderName, replyTo } = changeOf(draft);
  const translation = draft.translations[locale];
  if (!translation?.subject.trim() || !translation.body.trim()) return undefined;
  return { translation, locale, ...(senderName && { senderName }), ...(replyTo && { replyTo }) };
}
