import { notify } from "./toasts/toasts";
import { useRefresh } from "./useRefresh";

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
        },
      }),
    });
  };
}
