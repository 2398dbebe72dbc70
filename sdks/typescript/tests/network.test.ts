/** What goes wrong on the way to the server, with real sockets. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { it, type TestContext } from "node:test";
import tls from "node:tls";

import type { Config } from "../src/core/config.js";
import { authorities } from "../src/node/authorities.js";
import { type ClientOptions, LicenseClient } from "../src/node/index.js";
import { proxyFor } from "../src/node/proxies.js";
import { temporaryFolder } from "./clients.js";
import { FILES } from "./vectors.js";

const REPLY = `{"licenseId": "l", "mode": "Count", "balance": 1}`;

async function listen(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function client(t: TestContext, endpoint: string, more: ClientOptions = {}): LicenseClient {
  const made = new LicenseClient({
    productId: "product",
    publicKey: FILES.publicKey,
    licenseKey: "abc-12345678",
    apiKey: "pk_1",
    serverBaseEndpoint: endpoint,
    licenseFile: `${temporaryFolder(t)}/license.bin`,
    timeoutSeconds: 0.4,
    ...more,
  });
  t.after(() => made.close());
  return made;
}

const SERVERS: Readonly<Record<string, readonly [string, (socket: Socket) => void]>> = {
  "says nothing": ["ServerTimeout", () => undefined],
  "drips its head": [
    "ServerTimeout",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write("X-Drip: 1\r\n"), 50);
      socket.on("close", () => {
        clearInterval(timer);
      });
    },
  ],
  "drips its body": [
    "ServerTimeout",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n{");
      const timer = setInterval(() => socket.write(" "), 50);
      socket.on("close", () => {
        clearInterval(timer);
      });
    },
  ],
  "hangs up": ["ConnectionLost", (socket) => socket.destroy()],
  "speaks another protocol": ["ConnectionLost", (socket) => socket.end("220 mail ready\r\n")],
  "sends too much": [
    "UnexpectedReply",
    (socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n${"x".repeat(9e6)}`),
  ],
  redirects: [
    "CaptivePortal",
    (socket) =>
      socket.write("HTTP/1.1 302 Found\r\nLocation: http://x/\r\nContent-Length: 0\r\n\r\n"),
  ],
};

for (const [what, [code, answer]] of Object.entries(SERVERS)) {
  void it(`names a server that ${what}`, async (t) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => answer(socket));
    });
    const port = await listen(t, server);
    const timeoutSeconds = code === "UnexpectedReply" ? 10 : 0.4;
    const asking = client(t, `http://127.0.0.1:${port}/api`, { timeoutSeconds }).balance();
    await assert.rejects(asking, { code });
  });
}

void it("names a port where nothing listens, a name that is none, and a server without TLS", async (t) => {
  const server = createHttpServer((_, response) => response.end("{}"));
  const port = await listen(t, server);
  const secure = client(t, `https://127.0.0.1:${port}/api`, { timeoutSeconds: 10 });
  await assert.rejects(secure.balance(), { code: "Tls" });
  const closed = createServer();
  closed.listen(0, "127.0.0.1");
  await once(closed, "listening");
  const free = (closed.address() as AddressInfo).port;
  closed.close();
  await assert.rejects(client(t, `http://127.0.0.1:${free}/api`).balance(), {
    code: "ServerRefused",
  });
  await assert.rejects(
    client(t, "https://licet.invalid/api").balance(),
    (error: { code: string }) => ["Dns", "ServerTimeout"].includes(error.code),
  );
});

void it("asks through a proxy, with its credentials", async (t) => {
  const seen: (string | undefined)[] = [];
  const proxy = createHttpServer((request, response) => {
    seen.push(request.url, request.headers["proxy-authorization"]);
    response.setHeader("content-type", "application/json").end(REPLY);
  });
  proxy.on("connect", (request, socket) => {
    seen.push(request.url);
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  });
  const port = await listen(t, proxy);
  const saved = { ...process.env };
  t.after(() => (process.env = saved));
  for (const name of ["no_proxy", "NO_PROXY"]) process.env[name] = "";
  process.env["http_proxy"] = `http://ada:l%40ce@127.0.0.1:${port}`;
  process.env["https_proxy"] = `127.0.0.1:${port}`;
  const plain = client(t, "http://localhost:9/api", { timeoutSeconds: 10 });
  assert.equal((await plain.balance()).balance, "1");
  assert.match(seen[0] ?? "", /^http:\/\/localhost:9\/api\/meter\/balance\?/);
  assert.equal(seen[1], `Basic ${Buffer.from("ada:l@ce").toString("base64")}`);
  const tunneled = client(t, "https://licenses.example.com/api", { timeoutSeconds: 10 });
  await assert.rejects(tunneled.balance(), { code: "Proxy" });
  assert.equal(seen[2], "licenses.example.com:443");
  process.env["https_proxy"] = "socks5://127.0.0.1:1";
  await assert.rejects(client(t, "https://licenses.example.com/api").balance(), { code: "Proxy" });
});

void it("follows NO_PROXY", () => {
  const env = { HTTPS_PROXY: "proxy:3128", NO_PROXY: "::1/128, .example.com,other.org:8443" };
  const host = (url: string) => proxyFor(new URL(url), env)?.host ?? null;
  assert.equal(host("https://a.example.com/api"), null);
  assert.equal(host("https://example.com/api"), null);
  assert.equal(host("https://badexample.com/api"), "proxy:3128");
  assert.equal(host("https://other.org:8443/api"), null);
  assert.equal(host("https://other.org/api"), "proxy:3128");
  assert.equal(host("http://plain.org/api"), null);
});

void it("adds to the authorities that Node reads, also where an older Node does not list them", async (t) => {
  const folder = temporaryFolder(t);
  const file = (name: string): string => {
    writeFileSync(`${folder}/${name}.pem`, `-----BEGIN CERTIFICATE-----\n${name}`);
    return `${folder}/${name}.pem`;
  };
  const saved = { ...process.env };
  const { getCACertificates } = tls;
  t.after(() => {
    process.env = saved;
    tls.getCACertificates = getCACertificates;
    syncBuiltinESMExports();
  });
  tls.getCACertificates = undefined as unknown as typeof getCACertificates;
  syncBuiltinESMExports();
  process.env["NODE_EXTRA_CA_CERTS"] = file("company");
  process.env["SSL_CERT_FILE"] = file("environment");
  const found = async (more: Partial<Config>) => {
    const config = { caBundle: null, trustEnvironment: true, authoritiesNamedInCode: false };
    const all = await authorities({ ...config, ...more } as Config);
    return all?.filter((text) => !tls.rootCertificates.includes(text)).map((t) => t.split("\n")[1]);
  };
  assert.deepEqual(await found({}), ["company", "environment"]);
  const caBundle = file("bundle");
  assert.deepEqual(await found({ caBundle, authoritiesNamedInCode: true }), ["company", "bundle"]);
  process.env["NODE_EXTRA_CA_CERTS"] = `${folder}/missing.pem`;
  assert.deepEqual(await found({}), ["environment"]);
  process.env["SSL_CERT_FILE"] = "";
  assert.equal(await found({}), undefined);
});
