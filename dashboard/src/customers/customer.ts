import { chosen, fieldsOf, OPTIONAL_TEXT, TEXT, type DraftOf } from "../api/fields";
import type { Schemas } from "../api/types";

export type Customer = Schemas["Customer"];

export const CUSTOMER = fieldsOf({
  name: TEXT,
  email: TEXT,
  company: OPTIONAL_TEXT,
  externalReference: OPTIONAL_TEXT,
  locale: OPTIONAL_TEXT,
  notes: OPTIONAL_TEXT,
  tags: chosen<string[]>([]),
});

export type CustomerDraft = DraftOf<typeof CUSTOMER>;
