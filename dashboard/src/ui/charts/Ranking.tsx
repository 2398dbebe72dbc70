import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router";
import { number } from "../formats";
import { seriesColor } from "./series";

export interface Rank {
  key: string;
  label: string;
  value: number;
  to?: string;
  /** The whole that the value is a part of, such as the seats; else the largest value is. */
  of?: number;
  /** Shown after the figure, such as "of 20 seats". */
  note?: string;
}

const shareOf = ({ value, of }: Rank, top: number) =>
  Math.min(1, Math.max(0, value) / Math.max(of ?? top, 1e-9));

/** A ranked list with a bar per item. */
export function Ranking({ ranks, color = 0 }: { ranks: Rank[]; color?: number }) {
  const top = Math.max(1e-9, ...ranks.map((rank) => rank.value));
  return (
    <Stack component="ol" sx={{ m: 0, p: 0, listStyle: "none", gap: 1.25 }}>
      {ranks.map((rank) => (
        <Box key={rank.key} component="li">
          <Stack direction="row" sx={{ gap: 2, justifyContent: "space-between" }}>
            <Typography
              variant="body2"
              component="span"
              noWrap
              title={rank.label}
              sx={{ py: 0.25 }}
            >
              {rank.to ? (
                <Link component={RouterLink} to={rank.to} underline="hover">
                  {rank.label}
                </Link>
              ) : (
                rank.label
              )}
            </Typography>
            <Typography
              variant="body2"
              component="span"
              sx={{ flexShrink: 0, fontVariantNumeric: "tabular-nums", py: 0.25 }}
            >
              <strong>{number(rank.value)}</strong>
              {rank.note && (
                <Box component="span" sx={{ color: "text.secondary" }}>{` ${rank.note}`}</Box>
              )}
            </Typography>
          </Stack>
          <Box aria-hidden sx={{ height: 8, borderRadius: 1, bgcolor: "action.hover" }}>
            <Box
              sx={{
                height: 8,
                borderRadius: 1,
                minWidth: rank.value > 0 ? 4 : 0,
                width: `${String(shareOf(rank, top) * 100)}%`,
                bgcolor: seriesColor(color),
              }}
            />
          </Box>
        </Box>
      ))}
    </Stack>
  );
}
