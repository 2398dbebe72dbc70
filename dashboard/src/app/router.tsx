import { Suspense } from "react";
import {
  createBrowserRouter,
  generatePath,
  Navigate,
  Outlet,
  ScrollRestoration,
  useLocation,
  useParams,
} from "react-router";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { lazy } from "../ui/lazy";
import { Loading } from "../ui/Loading";
import { SessionExpiryRedirect } from "../ui/SessionExpiryRedirect";
import { StepUpGate } from "../ui/StepUpGate";
import { RequireSession } from "./RequireSession";
import { BARE_PAGES, HomePage, MOVED, NotFoundPage, PAGES, Shell, SignInPage } from "./routes";

const GalleryPage = import.meta.env.DEV ? lazy(() => import("../gallery/GalleryPage")) : null;

/** Pages without the shell. */
function Bare() {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary at={pathname}>
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
      <ScrollRestoration />
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

/** Leads on to where a page is now. */
function Moved({ to }: { to: string }) {
  const { search, hash } = useLocation();
  return <Navigate to={{ pathname: generatePath(to, useParams()), search, hash }} replace />;
}

// A data router, because unsaved changes have to block navigation (useBlocker).
export const router = createBrowserRouter([
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
      ...MOVED.map(([path, to]) => ({ path, element: <Moved to={to} /> })),
      { path: "*", element: <NotFoundPage /> },
    ],
  },
]);
