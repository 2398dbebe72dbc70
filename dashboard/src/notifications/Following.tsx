import Box from "@mui/material/Box";
import { visuallyHidden } from "@mui/utils";
import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { follow, type News } from "./stream";
import { knownUnread, refresh } from "./useNotifications";

/** Connect after this long without requests, so that the stream does not delay loading the page. */
const QUIET_MS = 1_500;

/** Whether the page has finished loading once. */
function useSettled(): boolean {
  const isBusy = useIsFetching() > 0;
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    if (isBusy || isSettled) return;
    const timer = setTimeout(() => {
      setSettled(true);
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [isBusy, isSettled]);
  return isSettled;
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
const useAwake = () => useSyncExternalStore(onChange, () => !document.hidden && navigator.onLine);

function sentenceOf({ arrived }: News): string {
  const latest = arrived.at(-1)?.title ?? "";
  return arrived.length === 1
    ? `New notification: ${latest}.`
    : `${String(arrived.length)} new notifications. Latest: ${latest}.`;
}

/** Keeps the displayed notifications up to date and announces new ones to screen readers. */
export default function Following() {
  const queries = useQueryClient();
  const isSettled = useSettled();
  const isAwake = useAwake();
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (!isSettled || !isAwake) return;
    const connection = new AbortController();
    const hear = (news: News) => {
      if (news.arrived.length > 0) setSaid(sentenceOf(news));
      if (news.arrived.length > 0 || news.unread !== knownUnread(queries)) void refresh(queries);
    };
    void follow(hear, connection.signal);
    return () => {
      connection.abort();
    };
  }, [queries, isSettled, isAwake]);
  return (
    <Box role="status" sx={visuallyHidden}>
      {said}
    </Box>
  );
}
