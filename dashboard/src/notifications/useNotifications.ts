import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { $api, api, at } from "../api/client";
import { asProblem } from "../api/problem";
import { notify } from "../ui/toasts/toasts";

const COUNT = $api.queryOptions("get", "/api/notifications/unread-count").queryKey;

/** Refetches the notifications and the unread count. */
export const refresh = (queries: QueryClient): Promise<unknown> =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ["get", "/api/notifications"] }),
    queries.invalidateQueries({ queryKey: COUNT }),
  ]);

/** The cached unread count; null if not loaded. */
export const knownUnread = (queries: QueryClient): number | null =>
  queries.getQueryData<{ unread: number }>(COUNT)?.unread ?? null;

export interface Reading {
  read: (id: string) => Promise<void>;
  readAll: () => Promise<void>;
}

/** Marks notifications as read. Errors are shown as notifications. */
export function useMarkAsRead(): Reading {
  const queries = useQueryClient();
  return useMemo(() => {
    const done = async (marking: Promise<unknown>) => {
      try {
        await marking;
      } catch (error) {
        notify(asProblem(error).message, { type: "error" });
      }
      await refresh(queries);
    };
    return {
      read: (id) =>
        done(api.POST("/api/notifications/{notificationId}/read", at({ notificationId: id }))),
      readAll: () => done(api.POST("/api/notifications/read-all")),
    };
  }, [queries]);
}
