import { createParser } from "eventsource-parser";
import { authorized } from "../api/client";
import { accessToken, isSignedIn } from "../api/session";
import type { Schemas } from "../api/types";

export type Notification = Schemas["NotificationView"];

/** What one piece of the stream has told. */
export interface News {
  /** How many are unread; null where it said nothing of that. */
  unread: number | null;
  arrived: Notification[];
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 120_000;

/**
 * Tells of notifications as they come, until the signal or the end of the session. A connection
 * that ends is made again after a pause, which grows while nothing is heard. What came in between
 * is in the list: each connection begins with the number that is unread.
 */
export async function follow(tell: (news: News) => void, signal: AbortSignal): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted && isSignedIn()) {
    const heard = await listen(tell, signal);
    pause = heard ? FIRST_PAUSE_MS : Math.min(2 * pause, LONGEST_PAUSE_MS);
    await passed(pause * (1 + Math.random() / 2), signal);
  }
}

/** One connection, for as long as it lasts; answers whether anything was heard. */
async function listen(tell: (news: News) => void, signal: AbortSignal): Promise<boolean> {
  let heard = false;
  try {
    if ((await accessToken()) === null) return false;
    const asked = new Request(new URL("/api/notifications/stream", location.origin), {
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
    // Hung up by this side or the other; either way the connection is over.
  }
  return heard;
}

/** What each piece of the body says, comments left out. */
async function* read(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<News> {
  let news: News = { unread: null, arrived: [] };
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === "unread") news.unread = (JSON.parse(data) as Schemas["UnreadView"]).unread;
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

/** A pause, which ends at once with the signal. */
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
