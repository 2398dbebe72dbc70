import { useState } from "react";
import { asProblem } from "../api/problem";
import { notify } from "./toasts/toasts";
import { useNotifyChanged } from "./useNotifyChanged";

/** Does something at once, tells of it with a toast, and lets it be undone if it can be. */
export function useAct() {
  const [busy, setBusy] = useState(false);
  const notifyChanged = useNotifyChanged();
  const act = async <T>(
    done: string | ((result: T) => string),
    work: () => Promise<T>,
    undo?: (result: T) => Promise<unknown>,
  ) => {
    setBusy(true);
    try {
      const result = await work();
      const takeBack = undo && (() => undo(result));
      notifyChanged(typeof done === "string" ? done : done(result), takeBack);
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
    setBusy(false);
  };
  return { busy, act };
}
