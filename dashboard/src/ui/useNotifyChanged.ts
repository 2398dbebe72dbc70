import { useNotify, useRefresh } from "ra-core";

/** Returns a function that shows a success notification and refetches the page's data. */
export function useNotifyChanged() {
  const notify = useNotify();
  const refresh = useRefresh();
  return (sentence: string) => {
    refresh();
    notify(sentence, { type: "success" });
  };
}
