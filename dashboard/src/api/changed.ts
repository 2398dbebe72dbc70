/** The fields that differ: the API leaves absent fields unchanged. */
export const changed = <T extends object>(after: T, before: Partial<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) =>
        JSON.stringify(value) !== JSON.stringify(before[name as keyof T] as unknown),
    ),
  ) as Partial<T>;
