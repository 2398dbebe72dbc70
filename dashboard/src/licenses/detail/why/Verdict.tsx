import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { visuallyHidden } from "@mui/utils";
import type { ReactNode } from "react";
import { DoneIcon, FailedIcon } from "../../../ui/icons";
import type { Schemas } from "../../../api/types";
import { HelpLink } from "../../../ui/HelpLink";
import { Section } from "../../../ui/Section";
import { StatusChip } from "../../../ui/StatusChip";
import { ruleWords } from "./rules";

type Explanation = Schemas["Explanation"];

const toneOf = (status: Explanation["status"]) => {
  if (status === "Valid") return "good";
  return status === "PendingApproval" || status === "Suspended" ? "wait" : "bad";
};

/** The verdict, then the rules in the order in which they are checked. */
export function Verdict({ explanation: { status, rules } }: { explanation: Explanation }) {
  const first = rules.find((rule) => !rule.passed);
  return (
    <Section title={t`Result`}>
      <Box role="status" sx={{ mb: 2.5 }}>
        <Stack direction="row" sx={{ gap: 1, alignItems: "center", flexWrap: "wrap" }}>
          <StatusChip status={status} tone={toneOf(status)} />
          <Typography sx={{ fontWeight: 600 }}>
            {first ? first.detail : t`The license is valid.`}
          </Typography>
        </Stack>
        {first && (
          <Typography variant="body2" sx={{ mt: 0.75 }}>
            <HelpLink topic="error-codes" anchor={status}>
              {t`What ${status} means and what to do`}
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

/** For screen readers: the others see an icon. */
const Hidden = ({ children }: { children?: ReactNode }) => (
  <Box component="span" sx={visuallyHidden}>
    {children}
  </Box>
);

function Rule({ rule, decides }: { rule: Schemas["Rule"]; decides: boolean }) {
  const name = ruleWords(rule.rule);
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
          {rule.passed ? (
            <Trans>
              {name}
              <Hidden>: passed</Hidden>
            </Trans>
          ) : (
            <Trans>
              {name}
              <Hidden>: failed</Hidden>
            </Trans>
          )}
          {decides && (
            <Typography component="span" variant="body2" color="error">
              {" · "}
              {t`decides`}
            </Typography>
          )}
        </Typography>
        <Typography color="textSecondary">{rule.detail}</Typography>
      </Box>
    </Stack>
  );
}
