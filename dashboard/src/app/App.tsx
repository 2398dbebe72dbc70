import { QueryClient } from "@tanstack/react-query";
import {
  Admin,
  type AuthProvider,
  CustomRoutes,
  localStorageStore,
  Resource,
  type Store,
} from "react-admin";
import { createBrowserRouter, Route, RouterProvider } from "react-router";
import { authProvider } from "../api/authProvider";
import { dataProvider } from "../api/dataProvider";
import { Problem } from "../api/problem";
import { isSignedIn } from "../api/session";
import { Loading } from "../ui/Loading";
import { BARE_PAGES, HomePage, NotFoundPage, PAGES, SignInPage } from "./routes";
import { Shell } from "./Shell";
import { brand } from "./theme";

const light = brand("light");
const dark = brand("dark");
const kept = localStorageStore(undefined, "licet");
const store: Store = {
  ...kept,
  // Signing out clears everything but the theme and the saved views.
  reset() {
    const lasting = ["theme", "licenseViews"].map((key) => [key, kept.getItem(key)] as const);
    kept.reset();
    for (const [key, value] of lasting) if (value) kept.setItem(key, value);
  },
};

/** Signing out reloads the page, so that no component keeps requesting or showing data. */
const leaving: AuthProvider = {
  ...authProvider,
  async logout(params) {
    const wasIn = isSignedIn();
    const to = await authProvider.logout(params);
    if (!wasIn) return to;
    store.reset();
    location.assign("/login");
    return new Promise<never>(() => undefined);
  },
};

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Retry network and server errors only; a 4xx response would be the same again.
      retry: (failures, error) => failures < 2 && !(error instanceof Problem && error.status < 500),
    },
  },
});

const Dashboard = () => (
  <Admin
    title="Licet"
    dataProvider={dataProvider}
    authProvider={leaving}
    queryClient={queryClient}
    store={store}
    lightTheme={light}
    darkTheme={dark}
    layout={Shell}
    dashboard={HomePage}
    loginPage={SignInPage}
    loading={Loading}
    catchAll={NotFoundPage}
    requireAuth
    disableTelemetry
  >
    <Resource name="licenses" recordRepresentation="licenseName" />
    <Resource name="products" recordRepresentation="name" />
    <Resource name="institutions" recordRepresentation="name" />
    <CustomRoutes>
      {PAGES.map(([path, Page]) => (
        <Route key={path} path={path} element={<Page />} />
      ))}
    </CustomRoutes>
    <CustomRoutes noLayout>
      {BARE_PAGES.map(([path, Page]) => (
        <Route key={path} path={path} element={<Page />} />
      ))}
    </CustomRoutes>
  </Admin>
);

// A data router, because unsaved changes have to block navigation (useBlocker).
const router = createBrowserRouter([{ path: "*", element: <Dashboard /> }]);

export const App = () => <RouterProvider router={router} />;
