import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link as RouterLink } from "react-router";
import { ArrowBackIcon, ArrowForwardIcon } from "../ui/icons";
import { addressOf, TOPICS, topicsNamed, type Topic } from "./library";

/** Related topics and links to the previous and next page. */
export function RelatedTopics({ topic }: { topic: Topic }) {
  const place = TOPICS.indexOf(topic);
  const before = TOPICS[place - 1];
  const after = TOPICS[place + 1];
  return (
    <Box component="footer" sx={{ mt: 5, pt: 3, borderTop: 1, borderColor: "divider" }}>
      <Typography variant="h6" component="h2" sx={{ mb: 1 }}>
        {t`Related`}
      </Typography>
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0, mb: 3 }}>
        {topicsNamed(topic.related).map((other) => (
          <Box component="li" key={other.name} sx={{ mb: 0.75 }}>
            <Link component={RouterLink} to={addressOf(other.name)} sx={{ fontWeight: 600 }}>
              {other.title}
            </Link>
            <Typography variant="body2" color="textSecondary">
              {other.summary}
            </Typography>
          </Box>
        ))}
      </Box>
      <Stack
        component="nav"
        aria-label={t`Previous and next page`}
        direction={{ xs: "column", sm: "row" }}
        sx={{ gap: 1.5 }}
      >
        {before && <Neighbor topic={before} side="Previous" icon={<ArrowBackIcon />} />}
        {after && <Neighbor topic={after} side="Next" icon={<ArrowForwardIcon />} />}
      </Stack>
    </Box>
  );
}

const SIDES = { Previous: t`Previous`, Next: t`Next` };

interface NeighborProps {
  topic: Topic;
  side: keyof typeof SIDES;
  icon: ReactNode;
}

const Neighbor = ({ topic, side, icon }: NeighborProps) => (
  <Stack
    component={RouterLink}
    to={addressOf(topic.name)}
    direction={side === "Next" ? "row-reverse" : "row"}
    sx={{
      flex: 1,
      gap: 1.5,
      alignItems: "center",
      p: 1.5,
      border: 1,
      borderColor: "divider",
      borderRadius: 1,
      color: "text.primary",
      textDecoration: "none",
      textAlign: side === "Next" ? "right" : "left",
      "&:hover": { borderColor: "primary.main" },
    }}
  >
    {icon}
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Typography variant="caption" color="textSecondary" component="span">
        {SIDES[side]}
      </Typography>
      <Typography component="span" sx={{ display: "block", fontWeight: 600 }}>
        {topic.title}
      </Typography>
    </Box>
  </Stack>
);
