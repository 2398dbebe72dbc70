import createFetchClient from "openapi-fetch";
import createQueryClient from "openapi-react-query";
import { problemOf } from "./problem";
import type { paths } from "./schema";
import { accessToken, renew, tellEnd } from "./session";

const withToken = (request: Request, token: string | null): Request => {
  if (token) request.headers.set("authorization", `Bearer ${token}`);
  return request;
};

/** Whether it takes a sign-in; a wrong password or code is another refusal. */
const isUnauthorized = async (response: Response): Promise<boolean> =>
  response.status === 401 && (await problemOf(response.clone())).code === "Unauthorized";

/** `fetch` with the access token, which is renewed once where it is refused. */
export async function authorized(request: Request): Promise<Response> {
  const again = request.clone();
  const token = await accessToken();
  const response = await fetch(withToken(request, token));
  if (!(await isUnauthorized(response))) return response;
  if (token !== null && (await renew())) return fetch(withToken(again, await accessToken()));
  tellEnd();
  return response;
}

/** Typed calls of the API; a refusal is thrown as a `Problem`. */
export const api = createFetchClient<paths>({ baseUrl: location.origin, fetch: authorized });
api.use({
  async onResponse({ response }) {
    if (!response.ok) throw await problemOf(response);
  },
});

/** The same as hooks of TanStack Query. */
export const $api = createQueryClient(api);

/** The answer to a request of an untyped path, such as one that react-admin asks for. */
export async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const asked = new Request(new URL(path, location.origin), {
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

/** Saves what a path answers as a file, under the name that the server gives it. */
export async function download(path: string, accept = "*/*"): Promise<void> {
  const asked = new Request(new URL(path, location.origin), { headers: { accept } });
  const response = await authorized(asked);
  if (!response.ok) throw await problemOf(response);
  const named = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "");
  save(await response.blob(), named?.[1] ?? path.split(/[/?]/).at(-1) ?? "download");
}

/** Hands content to the browser as a file. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 10_000);
}
