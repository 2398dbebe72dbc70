import { QueryClient } from "@tanstack/react-query";
import { onPortalView } from "../api/portalView";
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

// What one person sees in the portal is not what the next one sees.
onPortalView(() =>
  queryClient.removeQueries({
    predicate: ({ queryKey: [, path] }) => String(path).startsWith("/api/portal/"),
  }),
);
