import { $api } from "../../api/client";

/** What has tags. */
export type Tagged = "licenses" | "customers";

export const TAGS_MAX = 20;
export const TAG_LENGTH = 40;

/** The tags in use in the institution, by the alphabet. */
export function useKnownTags(of: Tagged, institutionId: string | null): string[] {
  const query = institutionId === null ? {} : { institutionId };
  const licenses = $api.useQuery(
    "get",
    "/api/licenses/tags",
    { params: { query } },
    { enabled: of === "licenses" },
  );
  const customers = $api.useQuery(
    "get",
    "/api/customers/tags",
    { params: { query } },
    { enabled: of === "customers" },
  );
  return (of === "licenses" ? licenses : customers).data?.tags ?? [];
}

/** Whether two tags are the same one. */
export const isSameTag = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

/** Whether a tag is among some. */
export const hasTag = (tags: readonly string[], tag: string): boolean =>
  tags.some((one) => isSameTag(one, tag));

/** Each tag once, as it was typed first. */
export const distinctTags = (tags: readonly string[]): string[] =>
  tags
    .map((tag) => tag.trim())
    .filter((tag, at, all) => tag && all.findIndex((other) => isSameTag(tag, other)) === at);
