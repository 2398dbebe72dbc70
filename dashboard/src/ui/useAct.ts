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
    undo?: () => Promise<unknown>,
  ) => {
    setBusy(true);
    try {
      const result = await work();
      notifyChanged(typeof done === "string" ? done : done(result), undo);
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
    setBusy(false);
  };
  return { busy, act };
}
