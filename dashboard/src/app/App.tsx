import CssBaseline from "@mui/material/CssBaseline";
import { createTheme, ThemeProvider } from "@mui/material/styles";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "react-router";
import { Problem } from "../api/problem";
import { useThemeOfPage } from "../ui/theme/mode";
import { themeOptions } from "../ui/theme/theme";
import { Toasts } from "../ui/toasts/Toasts";
import { router } from "./router";

const theme = createTheme(themeOptions);

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Retry network and server errors only; a 4xx response would be the same again.
      retry: (failures, error) => failures < 2 && !(error instanceof Problem && error.status < 500),
    },
  },
});

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
