import { createParser } from "eventsource-parser";
import { authorized } from "../api/client";
import { accessToken, isSignedIn } from "../api/session";
import type { Schemas } from "../api/types";

export type Notification = Schemas["Notification"];

/** The content of one chunk of the stream. */
export interface News {
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
export async function follow(tell: (news: News) => void, signal: AbortSignal): Promise<void> {
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
