import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { lazy, Suspense } from "react";

const Markdown = lazy(() =>
  import("../../../ui/Markdown").then((loaded) => ({ default: loaded.Markdown })),
);

/** Internal notes about the license. */
export const Notes = ({ text }: { text: string | null }) =>
  text === null ? (
    <Typography color="textSecondary">
      None. Notes are for your team only; customers cannot see them.
    </Typography>
  ) : (
    <Suspense fallback={<Skeleton variant="rounded" height={80} />}>
      <Markdown>{text}</Markdown>
    </Suspense>
  );
