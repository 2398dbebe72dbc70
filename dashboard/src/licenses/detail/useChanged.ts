import { useNotify, useRefresh } from "react-admin";

/** Tells what was done, and has everything on the page asked for again. */
export function useChanged(): (sentence: string) => void {
  const notify = useNotify();
  const refresh = useRefresh();
  return (sentence) => {
    notify(sentence, { type: "success" });
    refresh();
  };
}
