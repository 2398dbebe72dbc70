import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import scalarForFastify from "@scalar/fastify-api-reference";
import { lingui, linguiTransformerBabelPreset } from "@lingui/vite-plugin";
import { compileMessageOrThrow } from "@lingui/message-utils/compileMessage";
import babel from "@rolldown/plugin-babel";
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
  url: "openapi.json",
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
      // Licet may be below a path of its host.
      `const servers = [{ url: location.href.replace(/\\/api\\/docs.*/i, "") }];`,
      `Scalar.createApiReference("#reference", { ...${JSON.stringify(REFERENCE)}, servers });`,
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

/** Names the chunk that main.tsx waits for, and what that imports, so that a browser loads all at once. */
const startPreloaded = (): Plugin => ({
  name: "start-preloaded",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle = {} }) {
      const needed = new Set<string>();
      const styles = new Set<string>();
      const need = (name: string) => {
        const found = bundle[name];
        if (needed.has(name) || found?.type !== "chunk") return;
        needed.add(name);
        found.viteMetadata?.importedCss.forEach((style) => styles.add(style));
        found.imports.forEach(need);
      };
      Object.keys(bundle)
        .filter((name) => name.includes("/start-"))
        .forEach(need);
      const link = (rel: string) => (name: string) => ({
        tag: "link",
        attrs: { rel, crossorigin: true, href: `./${name}` },
        injectTo: "head" as const,
      });
      const scripts = [...needed].filter((name) => !html.includes(name));
      return [...scripts.map(link("modulepreload")), ...[...styles].map(link("stylesheet"))];
    },
  },
});

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The chunks that many pages share: each is named modules with all that they use. */
const CHUNKS = {
  // What chooses the language; the next has words of its own, and is read when this one is done.
  first: [at("src/main.tsx"), "preload-helper"],
  // What main.tsx waits for.
  start: [at("src/app/start.tsx")],
  // What a list shows before anybody opens anything.
  lists: [
    at("src/api/fields.ts"),
    at("src/ui/orders.ts"),
    at("src/ui/list/DataList.tsx"),
    at("src/ui/list/FilterChip.tsx"),
    at("src/ui/list/SearchFilter.tsx"),
    at("src/ui/table/"),
    at("src/ui/layout/"),
    at("src/app/shell/Shell.tsx"),
    "/@mui/material/utils/",
    "/@mui/material/Chip/",
    "/lucide-react/dist/esm/icons/plus.mjs",
    "/lucide-react/dist/esm/icons/download.mjs",
    ...[
      "AddButton",
      "CopyButton",
      "EmptyState",
      "Muted",
      "Page",
      "PageLink",
      "ProblemAlert",
      "RelativeTime",
      "Section",
      "StatusChip",
    ].map((name) => at(`src/ui/${name}.tsx`)),
    ...["days", "models", "quantities", "useNotifyChanged", "useProduct"].map((name) =>
      at(`src/ui/${name}.ts`),
    ),
  ],
  // What floats above a page: nobody needs it before they open something.
  floating: ["Dialog", "Menu", "Popover"].map((name) => `/@mui/material/${name}`),
  // What places tooltips, those of charts too.
  popper: ["/@mui/material/Popper/"],
  // Fields, with the dialogs and the pages for visitors that are made of them.
  forms: [
    at("src/ui/form/"),
    at("src/ui/ConfirmDialog.tsx"),
    at("src/ui/PasswordField.tsx"),
    at("src/access/Auth"),
    "/@mui/material/Autocomplete/",
    "/@mui/material/InputAdornment/",
  ],
};

const chunks = Object.entries(CHUNKS).map(([name, modules], place, { length }) => ({
  name,
  test: (id: string) => modules.some((part) => id.includes(part)),
  priority: length - place,
}));

/** Has tooltips load what places them when the first one opens. */
const lazyPopper = (): Plugin => ({
  name: "lazy-popper",
  apply: "build",
  enforce: "pre",
  resolveId: (source, importer) =>
    source === "../Popper/index.mjs" && importer?.includes("/@mui/material/Tooltip/")
      ? at("src/ui/LazyPopper.ts")
      : null,
});

interface Property {
  /** A spread has none. */
  key?: { name?: string };
  value: { type: string; value: unknown };
}
interface Descriptor {
  node: { properties: Property[] };
}
interface Program {
  traverse: (visitor: { ObjectExpression: (path: Descriptor) => void }) => void;
}
interface Babel {
  types: { valueToNode: (value: unknown) => Property["value"] };
}

/** Compiles the English messages in the code, so that a browser needs no parser of messages. */
const compiledMessages = ({ types }: Babel) => {
  const compile = ({ node: { properties } }: Descriptor) => {
    const named = (name: string) => properties.find(({ key }) => key?.name === name);
    const message = named("message");
    if (!named("id") || message?.value.type !== "StringLiteral") return;
    const tokens = compileMessageOrThrow(String(message.value.value));
    message.value = types.valueToNode(JSON.parse(JSON.stringify(tokens)));
  };
  const exit = (program: Program) => {
    program.traverse({ ObjectExpression: compile });
  };
  // At the end, when Lingui has written its descriptors.
  return { visitor: { Program: { exit } } };
};

/** English stays in the code, so that it needs no catalog. */
const words = () => {
  const lingui = linguiTransformerBabelPreset({ descriptorFields: "message" });
  // The preset that is named first runs last.
  const compiled = { ...lingui, preset: { plugins: [compiledMessages] } };
  return babel({ presets: [compiled, lingui] });
};

export default defineConfig(({ command }) => ({
  plugins: [
    lazyPopper(),
    words(),
    react(),
    lingui({ failOnMissing: true, failOnCompileError: true }),
    startPreloaded(),
    apiReference(),
    compressed(),
  ],
  // The server puts a fresh nonce in at each answer; the development server has no policy.
  ...(command === "build" && { html: { cspNonce: "{nonce}" } }),
  ...(process.env.VITE_CACHE && { cacheDir: process.env.VITE_CACHE }),
  // The server puts the path in that it is below.
  ...(command === "build" && { base: "./" }),
  server: { proxy: { "/api": API }, fs: { allow: [".."] } },
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            ...chunks,
            { name: "icons", test: "/lucide-react/", minShareCount: 2 },
            // One file for what many pages share: a first visit would load forty small ones.
            { name: "shared", minShareCount: 8 },
          ],
        },
      },
    },
  },
}));
