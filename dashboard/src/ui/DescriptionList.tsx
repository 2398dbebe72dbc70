import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";

/** A description list in as many columns as fit. */
export const DescriptionList = ({
  facts,
}: {
  facts: (readonly [name: string, value: ReactNode])[];
}) => (
  <Box
    component="dl"
    sx={{
      m: 0,
      display: "grid",
      gap: 2,
      gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 220px), 1fr))",
    }}
  >
    {facts.map(([name, value]) => (
      <Box key={name} sx={{ minWidth: 0 }}>
        <Typography
          variant="caption"
          color="textSecondary"
          component="dt"
          sx={{ overflowWrap: "anywhere" }}
        >
          {name}
        </Typography>
        <Box component="dd" sx={{ m: 0, overflowWrap: "anywhere" }}>
          {value ?? "—"}
        </Box>
      </Box>
    ))}
  </Box>
);
