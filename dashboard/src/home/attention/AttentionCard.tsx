import Box from "@mui/material/Box";
import Chip from "@mui/material/Chip";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactElement } from "react";
import { Link as RouterLink } from "react-router";
import { BatteryIcon, DevicesIcon, ExpiryIcon, IntrusionIcon, WebhookIcon } from "../../ui/icons";
import { number } from "../../ui/formats";
import type { Kind } from "./attentionGroups";

const ICONS: Record<Kind["name"], ReactElement> = {
  devices: <DevicesIcon />,
  attempts: <IntrusionIcon />,
  balances: <BatteryIcon />,
  expiring: <ExpiryIcon />,
  webhooks: <WebhookIcon />,
};

const TONES = {
  devices: "warning",
  attempts: "error",
  balances: "warning",
  expiring: "warning",
  webhooks: "error",
} as const;

/** Items shown if there is a page that lists them all. */
const SHOWN = 3;

/** One kind of item that needs attention, most urgent first. */
export function AttentionCard({ kind }: { kind: Kind }) {
  const { name, title, count, all } = kind;
  const concerns = all ? kind.concerns.slice(0, SHOWN) : kind.concerns;
  const hasMore = kind.hasMore || concerns.length < kind.concerns.length;
  return (
    <Box component="section" aria-label={title} sx={{ minWidth: 0 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: "center", mb: 1 }}>
        <Box aria-hidden sx={{ display: "flex", color: `${TONES[name]}.main` }}>
          {ICONS[name]}
        </Box>
        <Typography component="h3" variant="subtitle2">
          {title}
        </Typography>
        <Chip size="small" color={TONES[name]} label={number(count)} />
      </Stack>
      <Stack component="ul" sx={{ m: 0, p: 0, listStyle: "none", gap: 1 }}>
        {concerns.map(({ key, label, to, detail }) => (
          <Box key={key} component="li" sx={{ minWidth: 0 }}>
            <Link
              component={RouterLink}
              to={to}
              variant="body2"
              underline="hover"
              noWrap
              dir="auto"
              title={label}
              sx={{ display: "block", textAlign: "left", fontWeight: 550, lineHeight: "24px" }}
            >
              {label}
            </Link>
            <Typography variant="caption" color="textSecondary" component="p" noWrap title={detail}>
              {detail}
            </Typography>
          </Box>
        ))}
      </Stack>
      {hasMore && (
        <Typography variant="caption" color="textSecondary" component="p" sx={{ mt: 1 }}>
          {all ? (
            <Link component={RouterLink} to={all} underline="hover" sx={{ lineHeight: "24px" }}>
              Show all {number(count)}
            </Link>
          ) : (
            "Showing the most urgent only."
          )}
        </Typography>
      )}
    </Box>
  );
}
