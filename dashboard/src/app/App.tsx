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
import { BARE_PAGES, HomePage, NotFoundPage, PAGES, SignInPage } from "./routes";
import { Shell } from "./Shell";
import { brand } from "./theme";

const light = brand("light");
const dark = brand("dark");
const kept = localStorageStore(undefined, "licet");
const store: Store = {
  ...kept,
  // A sign-out leaves nothing of the person but the theme and the views that he has saved.
  reset() {
    const lasting = ["theme", "licenseViews"].map((key) => [key, kept.getItem(key)] as const);
    kept.reset();
    for (const [key, value] of lasting) if (value) kept.setItem(key, value);
  },
};

/** A sign-out leaves the page for good, so that nothing of it asks or shows anything more. */
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
      // What was refused would be refused again; what did not arrive is worth another try.
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

// A router that can be asked to wait, where something would be lost by leaving the page.
const router = createBrowserRouter([{ path: "*", element: <Dashboard /> }]);

export const App = () => <RouterProvider router={router} />;
