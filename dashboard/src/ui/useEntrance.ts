import { useQuery } from "@tanstack/react-query";
import { arrive } from "../api/session";

/** How people come in here: by the first-run setup, by signing up, or by invitation. */
export const useEntrance = () =>
  useQuery({ queryKey: ["entrance"], queryFn: arrive, staleTime: 0, retry: false });
