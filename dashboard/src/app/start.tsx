import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import CssBaseline from "@mui/material/CssBaseline";
import GlobalStyles from "@mui/material/GlobalStyles";
import { createTheme } from "@mui/material/styles";
import type {} from "@mui/material/themeCssVarsAugmentation";
import { ThemeProvider } from "@mui/system";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router";
import { keepSelectsShut } from "../ui/form/shutSelects";
import { styleNonce } from "../ui/styleNonce";
import { useThemeOfPage } from "../ui/theme/mode";
import { themeOptions } from "../ui/theme/theme";
import { Toasts } from "../ui/toasts/Toasts";
import { loadAhead, loadOnceUsed } from "./loadAhead";
import { queryClient } from "./queries";
import { router } from "./router";
import { pagePath } from "../api/address";

/** Draws the dashboard. Modules from here on read their words when they are loaded. */
export function start(): void {
  loadAhead(pagePath(location.pathname));
  loadOnceUsed();
  keepSelectsShut();
  const styles = createCache({ key: "css", nonce: styleNonce(), prepend: true });
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

const theme = createTheme(themeOptions);
const properties = theme.generateStyleSheets();

function App() {
  useThemeOfPage();
  return (
    <QueryClientProvider client={queryClient}>
      <ThemeProvider theme={theme}>
        <GlobalStyles styles={properties} />
        <CssBaseline />
        <RouterProvider router={router} />
        <Toasts />
      </ThemeProvider>
    </QueryClientProvider>
  );
}
