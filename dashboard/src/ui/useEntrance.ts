import { useQuery } from "@tanstack/react-query";
import { arrive } from "../api/session";

/** How users get access to this service: first-run setup, sign-up or invitation only. */
export const useEntrance = () =>
  useQuery({ queryKey: ["entrance"], queryFn: arrive, staleTime: 0, retry: false });
