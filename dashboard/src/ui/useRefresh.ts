import { useQueryClient } from "@tanstack/react-query";

/** Returns what fetches everything again that the page shows. */
export function useRefresh(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries();
}
