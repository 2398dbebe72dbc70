import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Typography from "@mui/material/Typography";
import { DoneIcon, FailedIcon } from "../../../ui/icons";
import type { Schemas } from "../../../api/types";
import { HelpLink } from "../../../ui/HelpLink";
import { Column, Row } from "../../../ui/layout/layout";
import { Section } from "../../../ui/Section";
import { StatusChip } from "../../../ui/StatusChip";
import { VisuallyHidden } from "../../../ui/VisuallyHidden";
import { ruleWords, VERDICTS } from "./rules";
import styles from "./why.module.css";

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
      <Column gap="xs" role="status" className={styles.verdict}>
        <Row gap="s" wraps>
          <StatusChip status={status} tone={toneOf(status)} />
          <Typography variant="subtitle1" component="p">
            {VERDICTS[status]}
          </Typography>
        </Row>
        {first && (
          <Typography variant="body2">
            <HelpLink topic="error-codes" anchor={status}>
              {t`What ${status} means and what to do`}
            </HelpLink>
          </Typography>
        )}
      </Column>
      <Column as="ol">
        {rules.map((rule) => (
          <Rule key={rule.rule} rule={rule} decides={rule === first} />
        ))}
      </Column>
    </Section>
  );
}

function Rule({ rule, decides }: { rule: Schemas["Rule"]; decides: boolean }) {
  const name = ruleWords(rule.rule);
  const Icon = rule.passed ? DoneIcon : FailedIcon;
  return (
    <Row as="li" gap="m" align="stretch" className={styles.rule}>
      <Icon color={rule.passed ? "var(--good)" : "var(--bad)"} aria-hidden />
      <div>
        <Typography variant="subtitle1" component="p">
          {rule.passed ? (
            <Trans>
              {name}
              <VisuallyHidden>: passed</VisuallyHidden>
            </Trans>
          ) : (
            <Trans>
              {name}
              <VisuallyHidden>: failed</VisuallyHidden>
            </Trans>
          )}
          {decides && (
            <Typography component="span" variant="body2" color="error">
              {" · "}
              {t`decides`}
            </Typography>
          )}
        </Typography>
        <Typography lang="en" color="textSecondary">
          {rule.detail}
        </Typography>
      </div>
    </Row>
  );
}
