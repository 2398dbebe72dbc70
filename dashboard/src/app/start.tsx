import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { loadAhead, loadOnceUsed } from "./loadAhead";

/** Draws the dashboard. Modules from here on read their words when they are loaded. */
export function start(): void {
  loadAhead(location.pathname);
  loadOnceUsed();
  const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
  const styles = createCache({ key: "css", nonce, prepend: true });
  const root = document.getElementById("root");
  if (root)
    createRoot(root).render(
      <StrictMode>
        <CacheProvider value={styles}>
          <I18nProvider i18n={i18n}>
            <App />
          </I18nProvider>
        </CacheProvider>
      </StrictMode>,
    );
}
