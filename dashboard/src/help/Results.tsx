import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import type { KeyboardEvent } from "react";
import { Link } from "react-router";
import { Column } from "../ui/layout/layout";
import styles from "./help.module.css";
import type { Hit, Piece } from "./search";

const Marked = ({ pieces }: { pieces: Piece[] }) =>
  pieces.map((piece, place) => (piece.marked ? <mark key={place}>{piece.text}</mark> : piece.text));

interface ResultsProps {
  hits: Hit[];
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Search results, best first, linked to the section of the page. */
export const Results = ({ hits, onKeyDown }: ResultsProps) => (
  <Card className={styles.results}>
    <Column as="ul" aria-label={t`Search results`} onKeyDown={onKeyDown}>
      {hits.map((hit) => (
        <li key={hit.to}>
          <Link to={hit.to} lang="en" className={styles.hit}>
            <strong>
              <Marked pieces={hit.page} />
              {hit.heading.length > 0 && " › "}
              <Marked pieces={hit.heading} />
            </strong>
            <span>
              <Marked pieces={hit.excerpt} />
            </span>
          </Link>
        </li>
      ))}
    </Column>
  </Card>
);
