import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import Typography from "@mui/material/Typography";
import type { KeyboardEvent } from "react";
import { Link } from "react-router";
import type { Hit, Piece } from "./search";

const Marked = ({ pieces }: { pieces: Piece[] }) =>
  pieces.map((piece, place) =>
    piece.marked ? (
      <Box
        key={place}
        component="mark"
        sx={{ bgcolor: "transparent", color: "primary.main", fontWeight: 700 }}
      >
        {piece.text}
      </Box>
    ) : (
      piece.text
    ),
  );

interface ResultsProps {
  hits: Hit[];
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Search results, best first, linked to the section of the page. */
export const Results = ({ hits, onKeyDown }: ResultsProps) => (
  <Card sx={{ maxWidth: 760 }}>
    <Box
      component="ul"
      aria-label={t`Search results`}
      onKeyDown={onKeyDown}
      sx={{ listStyle: "none", m: 0, p: 1 }}
    >
      {hits.map((hit) => (
        <Box component="li" key={hit.to}>
          <Box
            component={Link}
            to={hit.to}
            sx={{
              display: "block",
              px: 1.5,
              py: 1.25,
              borderRadius: 1,
              color: "text.primary",
              textDecoration: "none",
              "&:hover, &:focus-visible": { bgcolor: "action.hover" },
            }}
          >
            <Typography component="span" sx={{ display: "block", fontWeight: 600 }}>
              <Marked pieces={hit.page} />
              {hit.heading.length > 0 && " › "}
              <Marked pieces={hit.heading} />
            </Typography>
            <Typography
              component="span"
              variant="body2"
              color="textSecondary"
              sx={{ display: "block", mt: 0.25, overflowWrap: "anywhere" }}
            >
              <Marked pieces={hit.excerpt} />
            </Typography>
          </Box>
        </Box>
      ))}
    </Box>
  </Card>
);
