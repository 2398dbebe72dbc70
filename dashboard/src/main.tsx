import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { showTheme } from "./ui/theme/mode";

// Before anything is drawn, so that nothing changes its color.
showTheme();

const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
const styles = createCache({ key: "css", nonce, prepend: true });

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <CacheProvider value={styles}>
        <App />
      </CacheProvider>
    </StrictMode>,
  );
