import { i18n } from "@lingui/core";
import { explainBy } from "../../api/problem";
import { store, stored } from "../useStored";

/** The languages of the dashboard, each by its own name. */
export const LOCALES = { en: "English", de: "Deutsch" } as const;
export type Locale = keyof typeof LOCALES;

const KEY = "locale";
/** The language of the messages in the code, and of what the server writes. */
export const SOURCE: Locale = "en";

const isLocale = (tag: string): tag is Locale => tag in LOCALES;

/** The language that the user chose, or else the first one of the browser that is there. */
export function locale(): Locale {
  const chosen = stored<string | null>(KEY, null);
  const wanted = [chosen ?? "", ...navigator.languages].map((tag) => tag.slice(0, 2));
  return wanted.find(isLocale) ?? SOURCE;
}

/** The browser's own variant of the language, such as en-GB: it decides how dates are written. */
export function region(): string {
  const language = locale();
  return navigator.languages.find((tag) => tag.startsWith(language)) ?? language;
}

/** Loads the messages of the user's language. Without them, the page is in English. */
export async function activateLocale(): Promise<void> {
  const wanted = locale();
  const messages = wanted === SOURCE ? {} : await messagesOf(wanted);
  const active = messages ? wanted : SOURCE;
  i18n.loadAndActivate({ locale: active, messages: messages ?? {} });
  document.documentElement.lang = active;
  if (active !== SOURCE) void explainRefusals();
}

/** Without them, refusals are in the words of the server. */
const explainRefusals = () =>
  import("../../api/refusals").then(
    ({ refusalOf }) => explainBy(refusalOf),
    () => undefined,
  );

/** Shows the dashboard in another language, which takes a reload: tables of words are read once. */
export function chooseLocale(next: Locale): void {
  store(KEY, next);
  window.location.reload();
}

async function messagesOf(wanted: Locale) {
  try {
    const catalog = (await import(`../../../locales/${wanted}.po`)) as {
      messages: Parameters<typeof i18n.load>[1];
    };
    return catalog.messages;
  } catch {
    return null;
  }
}
