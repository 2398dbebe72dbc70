import { useQueryClient } from "@tanstack/react-query";
import { notify, notifyUndone } from "./toasts/toasts";

/** Returns what fetches everything again that the page shows. */
export function useRefresh(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries();
}

/**
 * Returns a function that tells of a success and fetches what the page shows again; with `undo`,
 * the user can take the change back.
 */
export function useNotifyChanged() {
  const refresh = useRefresh();
  return (sentence: string, undo?: () => Promise<unknown>) => {
    refresh();
    notify(sentence, {
      type: "success",
      ...(undo && {
        undo: async () => {
          await undo();
          refresh();
          notifyUndone(sentence);
        },
      }),
    });
  };
}
