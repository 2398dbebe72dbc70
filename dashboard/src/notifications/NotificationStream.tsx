import { plural } from "@lingui/core/macro";
import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { createParser } from "eventsource-parser";
import { useEffect, useState, useSyncExternalStore } from "react";
import { authorized } from "../api/client";
import { accessToken, isSignedIn } from "../api/session";
import type { Schemas } from "../api/types";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { sentencesOf } from "./sentences";
import { knownUnread, refresh } from "./useNotifications";
import { serviceUrl } from "../api/address";

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
  const last = arrived.at(-1);
  const latest = last ? sentencesOf(last).title : "";
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

export type Notification = Schemas["Notification"];

/** The content of one chunk of the stream. */
interface News {
  /** The unread count; null if the chunk did not contain it. */
  unread: number | null;
  arrived: Notification[];
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 120_000;

/**
 * Reports notifications as they arrive, until the signal aborts or the session ends. Reconnects
 * after a pause, which doubles while connections deliver nothing. Every connection starts with the
 * unread count, so notifications missed in between show up in the list.
 */
async function follow(tell: (news: News) => void, signal: AbortSignal): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted && isSignedIn()) {
    const heard = await listen(tell, signal);
    pause = heard ? FIRST_PAUSE_MS : Math.min(2 * pause, LONGEST_PAUSE_MS);
    await passed(pause * (1 + Math.random() / 2), signal);
  }
}

/** Reads one connection until it ends. Returns whether anything was received. */
async function listen(tell: (news: News) => void, signal: AbortSignal): Promise<boolean> {
  let heard = false;
  try {
    if ((await accessToken()) === null) return false;
    const asked = new Request(serviceUrl("/api/notifications/stream"), {
      headers: { accept: "text/event-stream" },
      signal,
    });
    const response = await authorized(asked);
    if (!response.ok || !response.body) return false;
    for await (const news of read(response.body)) {
      heard = true;
      if (!signal.aborted) tell(news);
    }
  } catch {
    // Closed by either side; the caller reconnects.
  }
  return heard;
}

/** Parses the body chunk by chunk, skipping comments. */
async function* read(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<News> {
  let news: News = { unread: null, arrived: [] };
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === "unread") news.unread = (JSON.parse(data) as Schemas["UnreadCount"]).unread;
      if (event === "notification") news.arrived.push(JSON.parse(data) as Notification);
    },
  });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    parser.feed(value);
    if (news.unread === null && news.arrived.length === 0) continue;
    yield news;
    news = { unread: null, arrived: [] };
  }
}

/** Resolves after a pause, or as soon as the signal aborts. */
const passed = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) {
      done();
      return;
    }
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    });
  });
