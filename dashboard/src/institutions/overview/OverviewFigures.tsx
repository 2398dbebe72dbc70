import Box from "@mui/material/Box";
import type { Schemas } from "../../api/types";
import { number } from "../../ui/formats";
import { KeyFigure } from "../../ui/KeyFigure";
import { useInstitution } from "../../ui/useInstitution";

interface OverviewFiguresProps {
  institutionId: string;
  /** Undefined while loading. */
  overview: Schemas["InstitutionOverview"] | undefined;
}

/** Key figures; linked only for the current institution, because the lists show that one. */
export function OverviewFigures({ institutionId, overview }: OverviewFiguresProps) {
  const worked = useInstitution().institutionId === institutionId;
  const here = `/institutions/${institutionId}`;
  const there = (to: string) => (worked ? { to } : {});
  const count = (value: number | undefined, word: string) =>
    value === undefined ? "…" : `${number(value)} ${word}`;
  return (
    <Box
      sx={{
        display: "grid",
        gap: 2,
        gridTemplateColumns: {
          xs: "repeat(2, minmax(0, 1fr))",
          sm: "repeat(3, minmax(0, 1fr))",
          lg: "repeat(6, minmax(0, 1fr))",
        },
        "& .MuiCard-root, & .MuiCardActionArea-root": { height: "100%" },
      }}
    >
      <KeyFigure label="Products" value={overview?.products} to={`${here}/products`} />
      <KeyFigure
        label="Licenses"
        value={overview?.licenses}
        hint={count(overview?.activeLicenses, "active")}
        {...there("/licenses")}
      />
      <KeyFigure label="Expiring in 30 days" value={overview?.expiringIn30Days} />
      <KeyFigure
        label="Devices"
        value={overview?.activations}
        hint={count(overview?.pendingActivations, "pending")}
        {...there("/statistics/activations")}
      />
      <KeyFigure
        label="Live sessions"
        value={overview?.liveSessions}
        {...there("/statistics/sessions")}
      />
      <KeyFigure label="Members" value={overview?.members} to={`${here}/members`} />
    </Box>
  );
}
