import CssBaseline from "@mui/material/CssBaseline";
import { createTheme, ThemeProvider } from "@mui/material/styles";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "react-router";
import { useThemeOfPage } from "../ui/theme/mode";
import { themeOptions } from "../ui/theme/theme";
import { Toasts } from "../ui/toasts/Toasts";
import { queryClient } from "./queries";
import { router } from "./router";

const theme = createTheme(themeOptions);

export function App() {
  useThemeOfPage();
  return (
    <QueryClientProvider client={queryClient}>
      <ThemeProvider theme={theme}>
        <CssBaseline />
        <RouterProvider router={router} />
        <Toasts />
      </ThemeProvider>
    </QueryClientProvider>
  );
}
