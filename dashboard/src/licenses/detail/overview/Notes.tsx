import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { lazy, Suspense } from "react";

const Markdown = lazy(() => import("./Markdown"));

/** The vendor's own notes; raw HTML in them is shown as what it is, text. */
export const Notes = ({ text }: { text: string | null }) =>
  text === null ? (
    <Typography color="textSecondary">
      None. Notes are for your team; customers do not see them.
    </Typography>
  ) : (
    <Suspense fallback={<Skeleton variant="rounded" height={80} />}>
      <Box
        sx={{
          overflowWrap: "anywhere",
          "& > :first-child": { mt: 0 },
          "& > :last-child": { mb: 0 },
          "& pre, & table": { overflowX: "auto", display: "block" },
          "& img": { maxWidth: "100%" },
          "& h3, & h4, & h5, & h6": { fontSize: "1rem", mb: 0.5 },
        }}
      >
        <Markdown text={text} />
      </Box>
    </Suspense>
  );
