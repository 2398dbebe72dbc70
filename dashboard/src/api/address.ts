const given = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? "";

/** The path that the service is below, such as `/licet`; empty at the root of its host. */
export const BASE_PATH = given.startsWith("/") ? given : "";

/** The URL of the service, without a slash at its end. */
export const SERVICE = `${location.origin}${BASE_PATH}`;

/** The path of a page below that of the service. */
export const pagePath = (pathname: string) => pathname.slice(BASE_PATH.length) || "/";

/** The URL of a path of the service, such as that of an image. */
export const serviceUrl = (path: string) => `${SERVICE}${path}`;
