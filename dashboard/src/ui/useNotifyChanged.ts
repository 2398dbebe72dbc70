import { notify } from "./toasts/toasts";
import { useRefresh } from "./useRefresh";

/** Returns a function that shows a success notification and refetches the page's data. */
export function useNotifyChanged() {
  const refresh = useRefresh();
  return (sentence: string) => {
    refresh();
    notify(sentence, { type: "success" });
  };
}
