import { defineConfig } from "@lingui/cli";
import { formatter } from "@lingui/format-po";

export default defineConfig({
  sourceLocale: "en",
  locales: ["de"],
  catalogs: [{ path: "locales/{locale}", include: ["src"] }],
  // Without line numbers and dates, a catalog changes only where its messages do.
  format: formatter({
    lineNumbers: false,
    customHeaderAttributes: { "POT-Creation-Date": "" },
  }),
});
