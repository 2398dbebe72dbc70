import { useEffect, useRef, useState } from "react";
import { api } from "../../api/client";
import { asProblem, type Problem } from "../../api/problem";
import type { Schemas } from "../../api/types";

export type Mismatch = Schemas["LedgerMismatch"];

export interface Progress {
  checked: number;
  total: number;
  mismatches: Mismatch[];
  isRunning: boolean;
  /** Whether the user stopped it before the end. */
  isStopped: boolean;
  problem: Problem | null;
}

/** Checks the wallets of an institution slice by slice, so that there is progress to show. */
export function useReconciliation(institutionId: string) {
  const [state, setState] = useState<Progress | null>(null);
  const stopped = useRef(false);
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const start = async () => {
    stopped.current = false;
    const found: Progress = {
      checked: 0,
      total: 0,
      mismatches: [],
      isRunning: true,
      isStopped: false,
      problem: null,
    };
    setState({ ...found });
    let after: string | null | undefined = null;
    try {
      do {
        const { data }: { data?: Schemas["ReconcileResponse"] } = await api.POST(
          "/api/meter/reconcile",
          { body: { institutionId, after, repair: false } },
        );
        found.checked += data?.checked ?? 0;
        found.total = Math.max(data?.total ?? 0, found.checked);
        found.mismatches = [...found.mismatches, ...(data?.mismatches ?? [])];
        after = data?.nextAfter;
        setState({ ...found });
      } while (after && !stopped.current);
    } catch (error) {
      found.problem = asProblem(error);
    }
    setState({ ...found, isRunning: false, isStopped: Boolean(after) && found.problem === null });
  };
  return {
    state,
    start,
    stop: () => {
      stopped.current = true;
    },
    /** Takes a repaired license out of the result. */
    settle: (licenseId: string) =>
      setState(
        (before) =>
          before && {
            ...before,
            mismatches: before.mismatches.filter((item) => item.licenseId !== licenseId),
          },
      ),
  };
}
