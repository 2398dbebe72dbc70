import { useCallback, useEffect, useReducer, useRef } from "react";
import { asProblem, type Problem } from "../../api/problem";
import { upload } from "../../api/upload";

export interface Upload {
  id: number;
  file: File;
  platform: string;
  state: "waiting" | "sending" | "done" | "refused" | "canceled";
  sentBytes: number;
  problem?: Problem;
}

type Action = { add: Upload[] } | { id: number; change: Partial<Upload> } | { remove: number };

const next = (uploads: Upload[], action: Action): Upload[] => {
  if ("add" in action) return [...uploads, ...action.add];
  if ("remove" in action) return uploads.filter((item) => item.id !== action.remove);
  return uploads.map((item) => (item.id === action.id ? { ...item, ...action.change } : item));
};

let lastId = 0;

async function send(releaseId: string, item: Upload, sending: Parameters<typeof upload>[2]) {
  const form = new FormData();
  // Before the file, so that the server can reject it without reading the file.
  if (item.platform) form.append("platform", item.platform);
  form.append("file", item.file);
  await upload(`/api/releases/${releaseId}/files`, form, sending);
}

/** Uploads files to a release one at a time. Leaving the page cancels them. */
export function useUploads(releaseId: string, onDone: () => void) {
  const [uploads, dispatch] = useReducer(next, []);
  const controllers = useRef(new Map<number, AbortController>());
  const sending = uploads.find((item) => item.state === "sending");
  const first = sending ? undefined : uploads.find((item) => item.state === "waiting");

  const run = useCallback(
    async (item: Upload) => {
      const controller = new AbortController();
      controllers.current.set(item.id, controller);
      const change = (values: Partial<Upload>) => dispatch({ id: item.id, change: values });
      change({ state: "sending" });
      try {
        await send(releaseId, item, {
          signal: controller.signal,
          onProgress: (sentBytes, totalBytes) =>
            change({ sentBytes: Math.round((sentBytes / totalBytes) * item.file.size) }),
        });
        change({ state: "done", sentBytes: item.file.size });
        onDone();
      } catch (error) {
        if (controller.signal.aborted) change({ state: "canceled" });
        else change({ state: "refused", problem: asProblem(error) });
      } finally {
        controllers.current.delete(item.id);
      }
    },
    [releaseId, onDone],
  );

  useEffect(() => {
    if (first) void run(first);
  }, [first, run]);

  useEffect(() => {
    const running = controllers.current;
    return () => {
      for (const controller of running.values()) controller.abort();
    };
  }, []);

  return {
    uploads,
    isBusy: uploads.some((item) => item.state === "sending" || item.state === "waiting"),
    add: (files: File[], platform: string) =>
      dispatch({
        add: files.map((file) => ({
          id: ++lastId,
          file,
          platform,
          state: "waiting" as const,
          sentBytes: 0,
        })),
      }),
    cancel: (item: Upload) => {
      controllers.current.get(item.id)?.abort();
      if (item.state === "waiting") dispatch({ id: item.id, change: { state: "canceled" } });
    },
    dismiss: (item: Upload) => dispatch({ remove: item.id }),
  };
}
