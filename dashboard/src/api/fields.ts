/** How a field of a form is read from what the API gives, and what of it is sent. */
interface FieldKind<Draft, Value> {
  read: (value: Value | undefined) => Draft;
  send: (draft: Draft) => Value;
}

export const textOrNull = (text: string) => text.trim() || null;

export const numberOrNull = (text: string) => (text.trim() === "" ? null : Number(text));

/** A text that must be there. */
export const TEXT: FieldKind<string, string> = {
  read: (value) => value ?? "",
  send: (draft) => draft.trim(),
};

export const OPTIONAL_TEXT: FieldKind<string, string | null> = {
  read: (value) => value ?? "",
  send: textOrNull,
};

/** Markdown, whose spaces count; nothing but spaces is no text. */
export const OPTIONAL_MARKDOWN: FieldKind<string, string | null> = {
  read: (value) => value ?? "",
  send: (draft) => (draft.trim() ? draft : null),
};

/** A number, as typed. */
export const NUMBER: FieldKind<string, number> = {
  read: (value) => String(value ?? ""),
  send: Number,
};

export const OPTIONAL_NUMBER: FieldKind<string, number | null> = {
  read: (value) => String(value ?? ""),
  send: numberOrNull,
};

/** A value that is chosen, not typed; `usual` for a new item, if there can be one. */
export const chosen = <Value>(usual?: Value): FieldKind<Value, Value> => ({
  read: (value) => (value === undefined ? (usual as Value) : value),
  send: (draft) => draft,
});

type AnyKind = { read: (value: never) => unknown; send: (draft: never) => unknown };
type Draft<Kinds> = {
  [Name in keyof Kinds]: Kinds[Name] extends { read: (value: never) => infer Held } ? Held : never;
};
type Body<Kinds> = {
  [Name in keyof Kinds]: Kinds[Name] extends { send: (draft: never) => infer Sent } ? Sent : never;
};

/** The draft and the body of a form, from one description of its fields. */
export function fieldsOf<Kinds extends Record<string, AnyKind>>(kinds: Kinds) {
  const map = <Mapped>(work: "read" | "send", given: Partial<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(kinds).map(([name, kind]) => [name, kind[work](given[name] as never)]),
    ) as Mapped;
  return {
    /** The fields of an item; of a new one without it. */
    draftOf: (item?: Body<Kinds>) => map<Draft<Kinds>>("read", item ?? {}),
    bodyOf: (draft: Draft<Kinds>) => map<Body<Kinds>>("send", draft),
  };
}

export type DraftOf<Fields> = Fields extends { bodyOf: (draft: infer Held) => unknown }
  ? Held
  : never;

/** The fields that differ: the API leaves absent fields unchanged. */
export const changed = <T extends object>(after: T, before: Partial<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) =>
        JSON.stringify(value) !== JSON.stringify(before[name as keyof T] as unknown),
    ),
  ) as Partial<T>;
