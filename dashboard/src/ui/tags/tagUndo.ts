import { hasTag } from "./knownTags";

interface Tagged {
  tags: readonly string[];
}

interface Given {
  tag?: string | null;
}

/** What undoes tagging many items, and what undoes the removal of a tag, for those that changed. */
export const TAG_UNDO = {
  addTag: {
    kind: "removeTag",
    given: ({ tags }: Tagged, { tag }: Given) => (tag && !hasTag(tags, tag) ? { tag } : null),
  },
  removeTag: {
    kind: "addTag",
    given: ({ tags }: Tagged, { tag }: Given) => (tag && hasTag(tags, tag) ? { tag } : null),
  },
} as const;
