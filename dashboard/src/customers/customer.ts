import type { Schemas } from "../api/types";

export type Customer = Schemas["Customer"];

export interface CustomerDraft {
  name: string;
  email: string;
  company: string;
  externalReference: string;
  locale: string;
  notes: string;
}

export const draftOf = (customer: Customer | undefined): CustomerDraft => ({
  name: customer?.name ?? "",
  email: customer?.email ?? "",
  company: customer?.company ?? "",
  externalReference: customer?.externalReference ?? "",
  locale: customer?.locale ?? "",
  notes: customer?.notes ?? "",
});

const textOrNull = (text: string) => text.trim() || null;

export const bodyOf = (draft: CustomerDraft) => ({
  name: draft.name.trim(),
  email: draft.email.trim(),
  company: textOrNull(draft.company),
  externalReference: textOrNull(draft.externalReference),
  locale: textOrNull(draft.locale),
  notes: textOrNull(draft.notes),
});
