import { useQueryClient } from "@tanstack/react-query";
import { useRefresh } from "ra-core";
import { useEffect, useRef, useState } from "react";
import { asProblem, type Problem } from "../../api/problem";
import type { License } from "../../api/types";
import type { BulkAction, BulkInput } from "./bulkActions";

export interface Failure {
  license: License;
  problem: Problem;
}

export interface BulkState {
  action: BulkAction;
  total: number;
  done: License[];
  refused: Failure[];
  leftOut: { license: License; why: string }[];
  isRunning: boolean;
  isStopped: boolean;
}

/** Runs an action on licenses one by one; failures do not stop the others. */
export function useBulkRun() {
  const [state, setState] = useState<BulkState | null>(null);
  const stopped = useRef(false);
  const refresh = useRefresh();
  const queries = useQueryClient();
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const start = async (action: BulkAction, licenses: License[], given: BulkInput) => {
    stopped.current = false;
    const leftOut: BulkState["leftOut"] = [];
    const todo: License[] = [];
    for (const license of licenses) {
      const why = action.leftOut(license, given);
      if (why === null) todo.push(license);
      else leftOut.push({ license, why });
    }
    const done: License[] = [];
    const refused: Failure[] = [];
    const show = (isRunning: boolean) => {
      setState({
        action,
        total: todo.length,
        done: [...done],
        refused: [...refused],
        leftOut,
        isRunning,
        isStopped: stopped.current,
      });
    };
    show(true);
    for (const license of todo) {
      if (stopped.current) break;
      try {
        await action.run(license, given);
        done.push(license);
      } catch (error) {
        refused.push({ license, problem: asProblem(error) });
      }
      show(true);
    }
    show(false);
    refresh();
    void queries.invalidateQueries({ queryKey: ["get"] });
  };
  return {
    state,
    start,
    stop: () => {
      stopped.current = true;
    },
    close: () => {
      setState(null);
    },
  };
}
