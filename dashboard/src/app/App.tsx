import CssBaseline from "@mui/material/CssBaseline";
import GlobalStyles from "@mui/material/GlobalStyles";
import { createTheme } from "@mui/material/styles";
import type {} from "@mui/material/themeCssVarsAugmentation";
import { ThemeProvider } from "@mui/system";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "react-router";
import { useThemeOfPage } from "../ui/theme/mode";
import { themeOptions } from "../ui/theme/theme";
import { Toasts } from "../ui/toasts/Toasts";
import { queryClient } from "./queries";
import { router } from "./router";

const theme = createTheme(themeOptions);
const properties = theme.generateStyleSheets();

export function App() {
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
