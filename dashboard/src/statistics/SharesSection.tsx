import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { Suspense } from "react";
import { Link as RouterLink } from "react-router";
import { ChartSection } from "../ui/charts/ChartSection";
import { seriesColor } from "../ui/charts/series";
import { number, percent } from "../ui/formats";
import { lazy } from "../ui/lazy";

const Donut = lazy(() => import("../ui/charts/Donut"));
const SIZE = 200;

export interface Share {
  label: string;
  value: number;
  to?: string;
  /** The color of what it means; else one of the series. */
  color?: string;
}

interface SharesSectionProps {
  title: string;
  /** Table header of the counted items. */
  head: string;
  shares: Share[] | undefined;
  empty: string;
  name: string;
}

/** A section with a donut chart and its legend. */
export function SharesSection({ title, head, shares, empty, name }: SharesSectionProps) {
  const total = shares?.reduce((sum, share) => sum + share.value, 0) ?? 0;
  const part = (share: Share) => (total ? share.value / total : 0);
  return (
    <ChartSection
      title={title}
      columns={[
        { label: head, value: (share) => share.label },
        { label: t`Number`, value: (share) => share.value, isFigure: true },
        {
          label: t({ message: "Share", context: "part" }),
          value: (share) => Math.round(part(share) * 1000) / 1000,
          show: (share) => percent(part(share)),
          isFigure: true,
        },
      ]}
      rows={shares}
      isEmpty={shares !== undefined && total === 0}
      empty={empty}
      fileName={name}
    >
      {(rows) => (
        <Stack
          direction={{ xs: "column", sm: "row" }}
          sx={{ gap: 4, alignItems: "center", justifyContent: "center", minHeight: 280 }}
        >
          <Box
            role="img"
            aria-label={`${title}: ${rows.map((row) => `${row.label} ${number(row.value)}`).join(", ")}.`}
            sx={{ width: SIZE, height: SIZE, flexShrink: 0 }}
          >
            <Suspense fallback={<Skeleton variant="circular" width={SIZE} height={SIZE} />}>
              <Donut parts={rows} size={SIZE} />
            </Suspense>
          </Box>
          <Stack
            component="ul"
            sx={{ m: 0, p: 0, listStyle: "none", width: "100%", maxWidth: 260 }}
          >
            {rows.map((row, place) => (
              <Stack
                key={row.label}
                component="li"
                direction="row"
                sx={{ gap: 1.25, alignItems: "center", minHeight: 32 }}
              >
                <Box
                  aria-hidden
                  sx={{
                    width: 10,
                    height: 10,
                    borderRadius: 0.25,
                    bgcolor: row.color ?? seriesColor(place),
                  }}
                />
                <Typography variant="body2" component="span" sx={{ flex: 1 }}>
                  {row.to ? (
                    <Link component={RouterLink} to={row.to} underline="hover">
                      {row.label}
                    </Link>
                  ) : (
                    row.label
                  )}
                </Typography>
                <Typography variant="body2" component="strong" sx={{ fontWeight: 650 }}>
                  {number(row.value)}
                </Typography>
                <Typography
                  variant="body2"
                  color="textSecondary"
                  component="span"
                  sx={{ minWidth: 52, textAlign: "right" }}
                >
                  {percent(part(row))}
                </Typography>
              </Stack>
            ))}
          </Stack>
        </Stack>
      )}
    </ChartSection>
  );
}
