import Card from "@mui/material/Card";
import CardActionArea from "@mui/material/CardActionArea";
import CardContent from "@mui/material/CardContent";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { Link } from "react-router";
import { number } from "./formats";

interface KeyFigureProps {
  label: string;
  /** Undefined while loading. */
  value: number | undefined;
  hint?: string;
  to?: string;
}

/** A labeled figure, optionally linked to its list. */
export function KeyFigure({ label, value, hint, to }: KeyFigureProps) {
  const content = (
    <CardContent>
      <Typography variant="body2" color="textSecondary">
        {label}
      </Typography>
      <Typography variant="h4" component="p" sx={{ fontVariantNumeric: "tabular-nums" }}>
        {value === undefined ? <Skeleton width="3ch" /> : number(value)}
      </Typography>
      {hint && (
        <Typography variant="caption" color="textSecondary">
          {hint}
        </Typography>
      )}
    </CardContent>
  );
  return (
    <Card role="group" aria-label={label}>
      {to ? (
        <CardActionArea component={Link} to={to}>
          {content}
        </CardActionArea>
      ) : (
        content
      )}
    </Card>
  );
}
