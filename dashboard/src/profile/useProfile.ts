import { useQueryClient } from "@tanstack/react-query";
import { $api } from "../api/client";

/** One's own account, and what says that it has changed. */
export function useProfile() {
  const queryClient = useQueryClient();
  const { data: profile, error, refetch } = $api.useQuery("get", "/api/auth/me");
  return {
    profile,
    error,
    refetch: () => void refetch(),
    hasChanged: () => queryClient.invalidateQueries({ queryKey: ["get", "/api/auth/me"] }),
  };
}
