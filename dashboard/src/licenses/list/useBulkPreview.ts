import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { License } from "../../api/types";
import { runBulk, type BulkKind, type BulkResult } from "./bulkActions";

const PART = 1_000;

/** What a bulk action would do to the licenses; nothing is changed. */
export function useBulkPreview(kind: BulkKind, licenses: License[], end: string | null) {
  return useQuery({
    queryKey: ["licenses", "bulk", kind, end, licenses.map(({ id }) => id)],
    enabled: kind !== "extend" || end !== null,
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const found: BulkResult = { done: [], refused: [] };
      for (let first = 0; first < licenses.length; first += PART) {
        const part = licenses.slice(first, first + PART);
        const { done, refused } = await runBulk(kind, part, { reason: "", end }, true);
        found.done.push(...done);
        found.refused.push(...refused);
      }
      return found;
    },
  });
}
