import Skeleton from "@mui/material/Skeleton";
import { Suspense } from "react";
import { lazy } from "./lazy";

const Markdown = lazy(() => import("./Markdown").then((loaded) => ({ default: loaded.Markdown })));

/** Markdown that a user wrote; its renderer is loaded when it is first needed. */
export const RichText = ({ children }: { children: string }) => (
  <Suspense fallback={<Skeleton variant="rounded" height={40} />}>
    <Markdown>{children}</Markdown>
  </Suspense>
);
