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
import { BARE_PAGES, HomePage, MOVED, NotFoundPage, PAGES, SignInPage } from "./routes";
import { Shell } from "./shell/Shell";

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
    element: <Shell />,
    children: [
      { index: true, element: <HomePage /> },
      ...PAGES.map(([path, Page]) => ({ path, element: <Page /> })),
      ...MOVED.map(([path, to]) => ({ path, element: <Moved to={to} /> })),
      { path: "*", element: <NotFoundPage /> },
    ],
  },
]);
