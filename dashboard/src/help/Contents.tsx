import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router";
import type { Heading } from "./text";

/** Table of contents, next to the page or above it on small screens. */
export const Contents = ({ headings }: { headings: Heading[] }) => (
  <Box
    component="nav"
    aria-labelledby="on-this-page"
    sx={{
      order: { lg: 1 },
      width: { lg: 240 },
      flexShrink: 0,
      position: { lg: "sticky" },
      top: 80,
      borderLeft: { lg: 1 },
      borderColor: { lg: "divider" },
      pl: { lg: 2 },
      mb: { xs: 2.5, lg: 0 },
    }}
  >
    <Typography id="on-this-page" variant="body2" component="h2" sx={{ fontWeight: 600, mb: 0.5 }}>
      {t`On this page`}
    </Typography>
    <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
      {headings.map((heading) => (
        <li key={heading.anchor}>
          <Link
            component={RouterLink}
            to={{ hash: heading.anchor }}
            underline="hover"
            variant="body2"
            color="textSecondary"
            sx={{ display: "inline-block", py: 0.375, minHeight: 24 }}
          >
            {heading.text}
          </Link>
        </li>
      ))}
    </Box>
  </Box>
);
