import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { Link } from "react-router";
import {
  BoltIcon,
  FlagIcon,
  LicenseIcon,
  PeopleIcon,
  ProductIcon,
  RepairIcon,
  SettingsIcon,
  ShowIcon,
  type Icon,
} from "../ui/icons";
import { addressOf, GROUPS, type Group } from "./library";

const ICONS: Record<string, Icon> = {
  "Start here": FlagIcon,
  "When something fails": RepairIcon,
  "License models": SettingsIcon,
  "Working with licenses": LicenseIcon,
  Products: ProductIcon,
  "Team and security": PeopleIcon,
  Automation: BoltIcon,
  Monitoring: ShowIcon,
};

/** A card for each group of topics. */
export const TopicGroups = () => (
  <Box
    sx={{
      columnGap: 2,
      columns: { xs: 1, md: 2, lg: 3 },
      "& > *": { breakInside: "avoid", mb: 2 },
    }}
  >
    {GROUPS.map((group) => (
      <GroupCard key={group.name} group={group} />
    ))}
  </Box>
);

function GroupCard({ group }: { group: Group }) {
  const Icon = ICONS[group.name] ?? FlagIcon;
  return (
    <Card component="section" aria-label={group.name} sx={{ p: 2 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: "center", mb: 1 }}>
        <Icon color="var(--accent)" aria-hidden />
        <Typography variant="h6" component="h2">
          {group.name}
        </Typography>
      </Stack>
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {group.topics.map((topic) => (
          <Box component="li" key={topic.name}>
            <Box
              component={Link}
              to={addressOf(topic.name)}
              sx={{
                display: "block",
                mx: -1,
                px: 1,
                py: 0.75,
                borderRadius: 1,
                color: "text.primary",
                textDecoration: "none",
                "&:hover": { bgcolor: "action.hover" },
                "&:hover > :first-of-type": { color: "primary.main" },
              }}
            >
              <Typography component="span" sx={{ display: "block", fontWeight: 600 }}>
                {topic.title}
              </Typography>
              <Typography component="span" variant="body2" color="textSecondary">
                {topic.summary}
              </Typography>
            </Box>
          </Box>
        ))}
      </Box>
    </Card>
  );
}
