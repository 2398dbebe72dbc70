import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { visuallyHidden } from "@mui/utils";
import { DoneIcon, FailedIcon } from "../../../ui/icons";
import type { Schemas } from "../../../api/types";
import { HelpLink } from "../../../ui/HelpLink";
import { words } from "../../../ui/labels";
import { Section } from "../../../ui/Section";
import { StatusChip } from "../../../ui/StatusChip";

type Explanation = Schemas["Explanation"];

const toneOf = (status: Explanation["status"]) => {
  if (status === "Valid") return "good";
  return status === "PendingApproval" || status === "Suspended" ? "wait" : "bad";
};

/** The verdict, then the rules in the order in which they are checked. */
export function Verdict({ explanation: { status, rules } }: { explanation: Explanation }) {
  const first = rules.find((rule) => !rule.passed);
  return (
    <Section title="Result">
      <Box role="status" sx={{ mb: 2.5 }}>
        <Stack direction="row" sx={{ gap: 1, alignItems: "center", flexWrap: "wrap" }}>
          <StatusChip status={status} tone={toneOf(status)} />
          <Typography sx={{ fontWeight: 600 }}>
            {first ? first.detail : "The license is valid."}
          </Typography>
        </Stack>
        {first && (
          <Typography variant="body2" sx={{ mt: 0.75 }}>
            <HelpLink topic="error-codes" anchor={status}>
              What {status} means and what to do
            </HelpLink>
          </Typography>
        )}
      </Box>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: "none" }}>
        {rules.map((rule) => (
          <Rule key={rule.rule} rule={rule} decides={rule === first} />
        ))}
      </Box>
    </Section>
  );
}

function Rule({ rule, decides }: { rule: Schemas["Rule"]; decides: boolean }) {
  const Icon = rule.passed ? DoneIcon : FailedIcon;
  return (
    <Stack
      component="li"
      direction="row"
      sx={{ gap: 1.5, py: 1.25, borderTop: 1, borderColor: "divider" }}
    >
      <Icon color={rule.passed ? "var(--good)" : "var(--bad)"} aria-hidden />
      <Box sx={{ minWidth: 0 }}>
        <Typography sx={{ fontWeight: 600 }}>
          {words(rule.rule)}
          <Box component="span" sx={visuallyHidden}>
            {rule.passed ? ": passed" : ": failed"}
          </Box>
          {decides && (
            <Typography component="span" variant="body2" color="error">
              {" "}
              · decides
            </Typography>
          )}
        </Typography>
        <Typography color="textSecondary">{rule.detail}</Typography>
      </Box>
    </Stack>
  );
}
