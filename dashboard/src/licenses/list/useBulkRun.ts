import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { asProblem } from "../../api/problem";
import type { License } from "../../api/types";
import { runBulk, type BulkAction, type BulkInput, type BulkResult } from "./bulkActions";

/** How many licenses are sent at once, so that there is progress to show. */
const PART = 100;

export interface BulkState extends BulkResult {
  action: BulkAction;
  total: number;
  /** Those that the action changed, which another action can undo. */
  undoable: License[];
  isRunning: boolean;
  isStopped: boolean;
}

/** Runs an action on licenses in parts; a part that fails does not stop the others. */
export function useBulkRun() {
  const [state, setState] = useState<BulkState | null>(null);
  const stopped = useRef(false);
  const queries = useQueryClient();
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const start = async (action: BulkAction, licenses: License[], given: BulkInput) => {
    stopped.current = false;
    const done: License[] = [];
    const refused: BulkResult["refused"] = [];
    const show = (isRunning: boolean) =>
      setState({
        action,
        total: licenses.length,
        done: [...done],
        refused: [...refused],
        undoable: action.undo ? done.filter(({ status }) => status !== "Suspended") : [],
        isRunning,
        isStopped: stopped.current,
      });
    show(true);
    for (let first = 0; first < licenses.length && !stopped.current; first += PART) {
      const part = licenses.slice(first, first + PART);
      try {
        const result = await runBulk(action.kind, part, given, false);
        done.push(...result.done);
        refused.push(...result.refused);
      } catch (error) {
        const why = asProblem(error).message;
        refused.push(...part.map((license) => ({ license, why })));
      }
      show(true);
    }
    show(false);
    void queries.invalidateQueries();
  };
  return {
    state,
    start,
    stop: () => {
      stopped.current = true;
    },
    close: () => setState(null),
  };
}
