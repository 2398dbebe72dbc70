import { useNotify, useRefresh } from "ra-core";

/** Says in a short sentence what was done, and has everything read anew that is on the page. */
export function useChanged() {
  const notify = useNotify();
  const refresh = useRefresh();
  return (sentence: string) => {
    refresh();
    notify(sentence, { type: "success" });
  };
}
