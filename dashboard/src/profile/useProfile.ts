import { useQueryClient } from "@tanstack/react-query";
import { $api } from "../api/client";

/** The user's profile, and a function to refetch it after a change. */
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
