import { QueryClient } from "@tanstack/react-query";
import { Problem } from "../api/problem";

/** What the server has said, for all pages. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Retry network and server errors only; a 4xx response would be the same again.
      retry: (failures, error) => failures < 2 && !(error instanceof Problem && error.status < 500),
    },
  },
});
