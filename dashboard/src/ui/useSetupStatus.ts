import { useQuery } from "@tanstack/react-query";
import { loadSetupStatus } from "../api/session";

/** How users get access to this service: first-run setup, sign-up or invitation only. */
export const useSetupStatus = () =>
  useQuery({ queryKey: ["entrance"], queryFn: loadSetupStatus, staleTime: 0, retry: false });
