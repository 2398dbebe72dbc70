import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import scalarForFastify from "@scalar/fastify-api-reference";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const OUT = "../server/src/licet_server/_dashboard";
const API = `http://127.0.0.1:${process.env.LICET_PORT ?? "8000"}`;

/** Scalar's colors with a contrast of 4.5, and no header that is wider than a phone. */
const REFERENCE_STYLE = `
  .light-mode {
    --scalar-color-2: #5c5c5c;
    --scalar-color-3: #666;
    --scalar-color-green: #00704a;
    --scalar-color-red: #b8121b;
    --scalar-color-blue: #0060a8;
    --scalar-color-orange: #9a4a00;
    --scalar-color-yellow: #7a5c00;
  }
  .dark-mode {
    --scalar-color-3: #9c9c9c;
    --scalar-color-red: #ff6b6b;
  }
  .t-doc__header { overflow-x: clip; }
`;

/** The API reference asks no other host: no fonts, no telemetry, no proxy, no agent. */
const REFERENCE = {
  url: "/api/openapi.json",
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  customCss: REFERENCE_STYLE,
};

/** Scalar's script, as its plugin for Fastify serves it: that brings 14 packages, and the script's own 175. */
const scalar = (): string => {
  let script = "";
  const reply = { header: () => reply, send: (content: string) => (script = content) };
  const route = ({ url, handler }: { url: string; handler: (...given: unknown[]) => void }) => {
    if (url.endsWith(".js")) handler({}, reply);
  };
  const fastify = { initialConfig: {}, route };
  scalarForFastify(fastify as never, { configuration: { url: REFERENCE.url } }, () => undefined);
  return script;
};

/** Adds the script of /api/docs, which no page of the dashboard loads. */
const apiReference = (): Plugin => ({
  name: "api-reference",
  apply: "build",
  generateBundle() {
    const source = [
      // Zod would try whether the page's policy allows it to compile code, which counts as a violation.
      "globalThis.__zod_globalConfig = { jitless: true };",
      scalar(),
      `Scalar.createApiReference("#reference", ${JSON.stringify(REFERENCE)});`,
    ];
    this.emitFile({ type: "asset", name: "api-reference.js", source: source.join("\n") });
  },
});

/** Compressed once here, so that the server compresses nothing. */
const compressed = (): Plugin => ({
  name: "compressed",
  apply: "build",
  closeBundle() {
    for (const name of readdirSync(`${OUT}/assets`)) {
      if (!/\.(js|css|svg)$/.test(name)) continue;
      const content = readFileSync(`${OUT}/assets/${name}`);
      writeFileSync(`${OUT}/assets/${name}.gz`, gzipSync(content, { level: 9 }));
      writeFileSync(`${OUT}/assets/${name}.br`, brotliCompressSync(content));
    }
  },
});

export default defineConfig(({ command }) => ({
  plugins: [react(), apiReference(), compressed()],
  // The server puts a fresh nonce in at each answer; the development server has no policy.
  ...(command === "build" && { html: { cspNonce: "{nonce}" } }),
  server: { proxy: { "/api": API }, fs: { allow: [".."] } },
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
}));
