import { t } from "@lingui/core/macro";
import { problemOf } from "./problem";
import { accessToken } from "./session";

interface Sending {
  onProgress: (sentBytes: number, totalBytes: number) => void;
  signal: AbortSignal;
}

/**
 * Uploads a form with a file and reports progress, which `fetch` cannot. Throws a `Problem` on an
 * error response, an `AbortError` when canceled, a `TypeError` on a network error.
 */
export async function upload(path: string, form: FormData, sending: Sending): Promise<void> {
  const token = await accessToken();
  const { onProgress, signal } = sending;
  const request = new XMLHttpRequest();
  request.open("POST", path);
  if (token) request.setRequestHeader("authorization", `Bearer ${token}`);
  request.upload.onprogress = (event) => onProgress(event.loaded, event.total);
  const answer = await new Promise<Response>((resolve, reject) => {
    const abort = () => request.abort();
    request.onload = () => {
      const requestId = request.getResponseHeader("x-request-id");
      resolve(
        new Response(request.responseText, {
          status: request.status,
          ...(requestId && { headers: { "x-request-id": requestId } }),
        }),
      );
    };
    request.onerror = () => reject(new TypeError(t`The upload was interrupted.`));
    request.onabort = () => reject(new DOMException(t`The upload was canceled.`, "AbortError"));
    signal.throwIfAborted();
    signal.addEventListener("abort", abort, { once: true });
    request.send(form);
  });
  if (!answer.ok) throw await problemOf(answer);
}
