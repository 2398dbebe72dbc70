/** The proxy that the environment names for an address. Read when a request is sent, not before. */

import { ProxyError } from "../core/partErrors.js";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for an address; `null` to connect directly.
 *
 * @throws ProxyError The variable does not name an HTTP proxy.
 */
export function proxyFor(url: URL, env: Environment): URL | null {
  const scheme = url.protocol.slice(0, -1);
  const given = variable(env, `${scheme}_proxy`) ?? variable(env, "all_proxy");
  if (given === null || isExempt(url, variable(env, "no_proxy") ?? "")) return null;
  const text = given.includes("://") ? given : `http://${given}`;
  const proxy = URL.canParse(text) ? new URL(text) : null;
  if (proxy !== null && /^https?:$/.test(proxy.protocol) && proxy.hostname !== "") return proxy;
  throw new ProxyError(
    "The environment names a proxy that cannot be used: it must be an http or https address. " +
      "Check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY.",
  );
}

function variable(env: Environment, name: string): string | null {
  return env[name] || env[name.toUpperCase()] || null;
}

function isExempt({ hostname, port, protocol }: URL, exceptions: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const withPort = `${host}:${port || (protocol === "https:" ? "443" : "80")}`;
  return exceptions.split(",").some((item) => {
    const name = item
      .trim()
      .toLowerCase()
      .replace(/^\*?\.+/, "");
    if (item.trim() === "*") return true;
    return name !== "" && [host, withPort].some((own) => own === name || own.endsWith(`.${name}`));
  });
}

/** The Proxy-Authorization header for the credentials in a proxy's address. */
export function proxyHeaders({ username, password }: URL): Record<string, string> {
  if (username === "") return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "Proxy-Authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
}
