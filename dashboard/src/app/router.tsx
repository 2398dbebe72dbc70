import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import {
  createBrowserRouter,
  generatePath,
  Navigate,
  Outlet,
  useLocation,
  useParams,
} from "react-router";
import { isSignedIn, loadSetupStatus } from "../api/session";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { lazy } from "../ui/lazy";
import { Loading } from "../ui/Loading";
import { SessionExpiryRedirect, StepUpGate } from "../ui/StepUpGate";
import { useInstitution } from "../ui/useInstitution";
import { BASE_PATH } from "../api/address";
import {
  BARE_PAGES,
  HomePage,
  MOVED,
  NoServiceAccess,
  NotFoundPage,
  PAGES,
  SERVICE_PAGES,
  Shell,
  SignInPage,
} from "./routes";
import { KeptScroll } from "./shell/KeptScroll";

const GalleryPage = import.meta.env.DEV ? lazy(() => import("../gallery/GalleryPage")) : null;

/** Pages without the shell. */
function Bare() {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary at={pathname}>
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
      <KeptScroll />
    </ErrorBoundary>
  );
}

/** Pages of signed-in users, in the shell. */
const SignedIn = () => (
  <RequireSession>
    <SessionExpiryRedirect />
    <StepUpGate />
    <ErrorBoundary at="shell">
      <Suspense fallback={<Loading />}>
        <Shell />
      </Suspense>
    </ErrorBoundary>
  </RequireSession>
);

/** A page about the whole service, for system Admins. */
function ServicePage({ children }: { children: ReactNode }) {
  const { profile } = useInstitution();
  if (profile === undefined) return <Loading />;
  return profile.isSystemAdmin ? children : <NoServiceAccess />;
}

/** Leads on to where a page is now. */
function Moved({ to }: { to: string }) {
  const { search, hash } = useLocation();
  return <Navigate to={{ pathname: generatePath(to, useParams()), search, hash }} replace />;
}

// A data router, because unsaved changes have to block navigation (useBlocker).
export const router = createBrowserRouter(
  [
    {
      element: <Bare />,
      children: [
        { path: "/login", element: <SignInPage /> },
        // For whoever builds the pages; a build for users leaves it out.
        ...(GalleryPage ? [{ path: "/ui", element: <GalleryPage /> }] : []),
        ...BARE_PAGES.map(([path, Page]) => ({ path, element: <Page /> })),
      ],
    },
    {
      element: <SignedIn />,
      children: [
        { index: true, element: <HomePage /> },
        ...PAGES.map(([path, Page]) => ({ path, element: <Page /> })),
        ...SERVICE_PAGES.map(([path, Page]) => ({
          path,
          element: (
            <ServicePage>
              <Page />
            </ServicePage>
          ),
        })),
        ...MOVED.map(([path, to]) => ({ path, element: <Moved to={to} /> })),
        { path: "*", element: <NotFoundPage /> },
      ],
    },
  ],
  { basename: BASE_PATH || "/" },
);

/** Where somebody without a session has to go first; null with a session. */
async function entrance(): Promise<string | null> {
  if (isSignedIn()) return null;
  // An unreachable server does not sign the user out; the page shows the error.
  const status = await loadSetupStatus().catch(() => null);
  if (status === null || isSignedIn()) return null;
  return status.required ? "/setup" : "/login";
}

/** Shows a page to those who are signed in, and the sign-in to others, who return afterwards. */
function RequireSession({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation();
  const { data: to, isPending } = useQuery({
    queryKey: ["session"],
    queryFn: entrance,
    enabled: !isSignedIn(),
    gcTime: 0,
  });
  if (isSignedIn()) return children;
  if (isPending) return <Loading />;
  const state = { nextPathname: pathname, nextSearch: search };
  return to ? <Navigate to={to} replace state={state} /> : children;
}
