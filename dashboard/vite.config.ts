import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const OUT = "../server/src/licet_server/_dashboard";
const API = `http://127.0.0.1:${process.env.LICET_PORT ?? "8000"}`;

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
  plugins: [react(), compressed()],
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
