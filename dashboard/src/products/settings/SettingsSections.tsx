import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import Stack from "@mui/material/Stack";
import Switch from "@mui/material/Switch";
import Typography from "@mui/material/Typography";
import { Section } from "../../ui/Section";
import { validationErrors, type SetDraft, type SettingsDraft } from "./draft";
import { NumberField } from "./NumberField";

interface SectionProps {
  draft: SettingsDraft;
  set: SetDraft;
}

/** Heartbeat and session timeout settings. */
export function SessionsSection({ draft, set }: SectionProps) {
  const breaches = validationErrors(draft);
  return (
    <Section
      title={t`Live sessions`}
      subtitle={t`A running application sends heartbeats at this interval. If none arrives before the timeout, its seat is freed. The timeout must be at least twice the interval, so that one lost heartbeat does no harm. Changes apply from the next heartbeat.`}
      help="activations-and-sessions"
    >
      <Box
        sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", md: "repeat(3, 1fr)" } }}
      >
        <NumberField
          name="heartbeatIntervalSeconds"
          label={t`Heartbeat interval (seconds)`}
          hint={t`1 to 3600. Shorter intervals free seats sooner but cause more traffic.`}
          min={1}
          max={3_600}
          value={draft.heartbeatIntervalSeconds}
          onValue={(heartbeatIntervalSeconds) => {
            set({ heartbeatIntervalSeconds });
          }}
        />
        <NumberField
          name="sessionTimeoutSeconds"
          label={t`Session timeout (seconds)`}
          hint={t`3 to 86400. After a crash, the seat stays taken for this long.`}
          min={3}
          max={86_400}
          breach={breaches.sessionTimeoutSeconds}
          value={draft.sessionTimeoutSeconds}
          onValue={(sessionTimeoutSeconds) => {
            set({ sessionTimeoutSeconds });
          }}
        />
        <NumberField
          name="heartbeatMinSpacingSeconds"
          label={t`Minimum heartbeat spacing (seconds)`}
          hint={t`More frequent heartbeats are rejected. At most the interval.`}
          min={0}
          max={3_600}
          breach={breaches.heartbeatMinSpacingSeconds}
          value={draft.heartbeatMinSpacingSeconds}
          onValue={(heartbeatMinSpacingSeconds) => {
            set({ heartbeatMinSpacingSeconds });
          }}
        />
      </Box>
    </Section>
  );
}

/** Settings for license files, the portal and downloads. */
export const LicensesSection = ({ draft, set }: SectionProps) => (
  <Section title={t`Licenses and downloads`} help="offline">
    <Stack sx={{ gap: 2 }}>
      <Box
        sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", md: "repeat(2, 1fr)" } }}
      >
        <NumberField
          name="offlineFileLifetimeDays"
          label={t`License file lifetime (days)`}
          hint={t`1 to 3650, or empty for the term of the license. A revoked license keeps working offline until its file must be refreshed.`}
          min={1}
          max={3_650}
          optional
          value={draft.offlineFileLifetimeDays}
          onValue={(offlineFileLifetimeDays) => {
            set({ offlineFileLifetimeDays });
          }}
        />
        <NumberField
          name="deviceReleasesPerYear"
          label={t`Device releases per year`}
          hint={t`0 to 1000. How often an end user may free a seat in the portal.`}
          min={0}
          max={1_000}
          value={draft.deviceReleasesPerYear}
          onValue={(deviceReleasesPerYear) => {
            set({ deviceReleasesPerYear });
          }}
        />
      </Box>
      <FormControlLabel
        sx={{ alignItems: "flex-start" }}
        control={
          <Switch
            checked={draft.downloadsNeedLicense}
            onChange={(_, downloadsNeedLicense) => {
              set({ downloadsNeedLicense });
            }}
          />
        }
        label={
          <Box sx={{ pt: 0.75 }}>
            {t`Downloads require a license`}{" "}
            <Typography variant="body2" color="textSecondary">
              {t`Applications can download files only with the key of a valid license. If off, the product key is enough.`}
            </Typography>
          </Box>
        }
      />
    </Stack>
  </Section>
);
