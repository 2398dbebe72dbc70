import { useState } from "react";
import { asProblem } from "../../api/problem";
import { notify } from "../../ui/toasts/toasts";
import { useNotifyChanged } from "../../ui/useNotifyChanged";

/** Does something at once, tells of it with a toast, and lets it be undone if it can be. */
export function useAct() {
  const [busy, setBusy] = useState(false);
  const notifyChanged = useNotifyChanged();
  const act = async (done: string, work: () => Promise<unknown>, undo?: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
      notifyChanged(done, undo);
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    }
    setBusy(false);
  };
  return { busy, act };
}
