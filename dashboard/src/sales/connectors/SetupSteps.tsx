import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { CopyField } from "../../ui/CopyField";
import { Section } from "../../ui/Section";
import { KIND_LABELS, type Connector } from "../connector";
import { EXAMPLE, SHOPS } from "./kinds";
import { ReplaceSecret } from "./ReplaceSecret";

const Step = ({ title, children }: { title: string; children: ReactNode }) => (
  <Box component="li">
    <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
    <Stack
      sx={{
        gap: 1,
        alignItems: "flex-start",
        mt: 0.5,
        "& > .MuiBox-root": { alignSelf: "stretch" },
      }}
    >
      {children}
    </Stack>
  </Box>
);

/** What to do in the shop, step by step. */
export function SetupSteps({ connector }: { connector: Connector }) {
  const { kind, id, rules } = connector;
  const shop = SHOPS[kind];
  const isGeneric = kind === "Generic";
  return (
    <Section title={isGeneric ? t`Set up your shop` : t`Set up ${{ shop: KIND_LABELS[kind] }}`}>
      <Stack
        component="ol"
        sx={{ gap: 2.5, m: 0, pl: 2.5, maxWidth: 760, "& > li": { overflowWrap: "anywhere" } }}
      >
        <Step title={t`Enter the inbox address`}>
          <span>{shop.address}</span>
        </Step>
        <Step title={isGeneric ? t`Send these events` : t`Choose the events to send`}>
          <CopyField label={t`Events`} value={shop.events.join("\n")} block />
          {shop.events.some((name) => name.includes("*")) && (
            <span>{t`The * stands for all events whose names begin so.`}</span>
          )}
        </Step>
        <Step title={t`Enter the signing secret`}>
          <span>{shop.secretStep}</span>
          <ReplaceSecret connector={connector} size="small" />
        </Step>
        {isGeneric && (
          <Step title={t`Give each message this form`}>
            <CopyField label={t`Example`} value={EXAMPLE} block />
          </Step>
        )}
        <Step title={t`Say which license somebody gets`}>
          <span>
            {rules.length > 0
              ? t`The rules say it. What none of them matches waits among the orders.`
              : t`Create a rule for each thing that you sell, now or with one click when it is first sold.`}
          </span>
          <Button component={Link} to={`/connectors/${id}/rules`} variant="outlined" size="small">
            {rules.length > 0 ? t`Show rules` : t`Create rules`}
          </Button>
        </Step>
      </Stack>
      {shop.notes.map((note) => (
        <Typography key={note} variant="body2" color="textSecondary" sx={{ mt: 2, maxWidth: 760 }}>
          {note}
        </Typography>
      ))}
    </Section>
  );
}
