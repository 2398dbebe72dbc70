import { plural } from "@lingui/core/macro";
import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { follow, type News } from "./stream";
import { knownUnread, refresh } from "./useNotifications";

/** Connect after this long without requests, so that the stream does not delay loading the page. */
const QUIET_MS = 1_500;

/** Whether the page has finished loading once. */
function useHasLoaded(): boolean {
  const isBusy = useIsFetching() > 0;
  const [hasLoaded, setLoaded] = useState(false);
  useEffect(() => {
    if (isBusy || hasLoaded) return;
    const timer = setTimeout(() => setLoaded(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [isBusy, hasLoaded]);
  return hasLoaded;
}

function onChange(tell: () => void) {
  const places = [
    [document, "visibilitychange"],
    [window, "online"],
    [window, "offline"],
  ] as const;
  for (const [place, name] of places) place.addEventListener(name, tell);
  return () => {
    for (const [place, name] of places) place.removeEventListener(name, tell);
  };
}

/** Whether the page is visible and online. */
const useIsActive = () =>
  useSyncExternalStore(onChange, () => !document.hidden && navigator.onLine);

function sentenceOf({ arrived }: News): string {
  const latest = arrived.at(-1)?.title ?? "";
  return plural(
    { count: arrived.length },
    {
      one: `New notification: ${latest}.`,
      other: `# new notifications. Latest: ${latest}.`,
    },
  );
}

/** Keeps the displayed notifications up to date and announces new ones to screen readers. */
export default function NotificationStream() {
  const queries = useQueryClient();
  const hasLoaded = useHasLoaded();
  const isActive = useIsActive();
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (!hasLoaded || !isActive) return;
    const connection = new AbortController();
    const hear = (news: News) => {
      if (news.arrived.length > 0) setSaid(sentenceOf(news));
      if (news.arrived.length > 0 || news.unread !== knownUnread(queries)) void refresh(queries);
    };
    void follow(hear, connection.signal);
    return () => connection.abort();
  }, [queries, hasLoaded, isActive]);
  return <VisuallyHidden role="status">{said}</VisuallyHidden>;
}
