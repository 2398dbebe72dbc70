import { t } from "@lingui/core/macro";
import createFetchClient from "openapi-fetch";
import createQueryClient from "openapi-react-query";
import { Problem, problemOf } from "./problem";
import type { paths } from "./schema";
import { viewTokenFor } from "./portalView";
import { accessToken, renew, notifySessionEnd } from "./session";
import { stepUp } from "./stepUp";
import { SERVICE, serviceUrl } from "./address";

const withToken = (request: Request, token: string | null): Request => {
  if (token) request.headers.set("authorization", `Bearer ${token}`);
  return request;
};

/** Whether the session is missing or expired; a wrong password or code has another error code. */
const isUnauthorized = async (response: Response): Promise<boolean> =>
  response.status === 401 && (await problemOf(response.clone())).code === "Unauthorized";

/**
 * `fetch` with the access token. If the server wants to know that it is the user, asks them and
 * repeats the request.
 */
export async function authorized(request: Request): Promise<Response> {
  for (;;) {
    const response = await withSession(request.clone());
    if (response.status !== 403) return response;
    const problem = await problemOf(response.clone());
    if (problem.code !== "StepUpRequired") return response;
    if (!(await stepUp(problem.methods)))
      throw new Problem(403, {
        errorCode: "StepUpRequired",
        detail: t`Nothing was changed, because you did not confirm that it is you.`,
      });
  }
}

/** `fetch` with the access token. If it is rejected, renews it and retries once. */
async function withSession(request: Request): Promise<Response> {
  const looking = viewTokenFor(request);
  if (looking !== null) return fetch(withToken(request, looking));
  const again = request.clone();
  const token = await accessToken();
  const response = await fetch(withToken(request, token));
  if (!(await isUnauthorized(response))) return response;
  if (token !== null && (await renew())) return fetch(withToken(again, await accessToken()));
  notifySessionEnd();
  return response;
}

/** Typed API client. Error responses are thrown as a `Problem`. */
export const api = createFetchClient<paths>({ baseUrl: SERVICE, fetch: authorized });
api.use({
  async onResponse({ response }) {
    if (!response.ok) throw await problemOf(response);
  },
});

/** The typed API client as TanStack Query hooks. */
export const $api = createQueryClient(api);

/** What a request says of its path: `api.DELETE("/api/policies/{policyId}", at({ policyId }))`. */
export const at = <Path>(path: Path) => ({ params: { path } });

/** Sends a request to an untyped path, such as that of a list. */
export async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const asked = new Request(serviceUrl(path), {
    method,
    ...(body !== undefined && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  const response = await authorized(asked);
  if (!response.ok) throw await problemOf(response);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Downloads a path as a file, under the name from the `Content-Disposition` header. */
export async function download(path: string, accept = "*/*"): Promise<void> {
  const asked = new Request(serviceUrl(path), { headers: { accept } });
  const response = await authorized(asked);
  if (!response.ok) throw await problemOf(response);
  const named = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "");
  save(await response.blob(), named?.[1] ?? path.split(/[/?]/).at(-1) ?? "download");
}

/** Saves content as a file through the browser. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
