import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../../api/client";
import type { Schemas } from "../../api/types";

/** What applying a policy changes, so far. */
export interface Applied {
  changed: Schemas["AppliedLicense"][];
  refused: Schemas["BulkRefusal"][];
  unchanged: number;
}

const NOTHING: Applied = { changed: [], refused: [], unchanged: 0 };
const KEPT = 200;

/** Applies a policy to all its licenses in steps, or tells what that would change. */
export function useApply(policyId: string) {
  const [applied, setApplied] = useState<Applied & { count: number }>();
  const stopped = useRef(false);
  const queries = useQueryClient();
  const run = async (dryRun: boolean) => {
    stopped.current = false;
    const total = { ...NOTHING, changed: [] as Applied["changed"], count: 0 };
    let after: string | null = null;
    do {
      const { data }: { data?: Schemas["ApplyPolicyResponse"] } = await api.POST(
        "/api/policies/{policyId}/apply",
        {
          params: { path: { policyId } },
          body: { all: true, dryRun, after },
        },
      );
      if (!data) break;
      total.count += data.changed.length;
      total.changed = [...total.changed, ...data.changed].slice(0, KEPT);
      total.refused = [...total.refused, ...data.refused].slice(0, KEPT);
      total.unchanged += data.unchanged;
      setApplied({ ...total });
      after = data.nextAfter;
    } while (after !== null && !stopped.current);
    if (!dryRun) void queries.invalidateQueries();
    return total;
  };
  return {
    applied,
    run,
    stop: () => {
      stopped.current = true;
    },
  };
}
