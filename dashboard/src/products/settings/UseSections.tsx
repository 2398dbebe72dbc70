import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import Stack from "@mui/material/Stack";
import Switch from "@mui/material/Switch";
import Typography from "@mui/material/Typography";
import { Section } from "../../ui/Section";
import { breachesOf, type SetDraft, type SettingsDraft } from "./draft";
import { NumberField } from "./NumberField";

interface SectionProps {
  draft: SettingsDraft;
  set: SetDraft;
}

/** How long a seat of a running application is held without a word from it. */
export function SessionsSection({ draft, set }: SectionProps) {
  const breaches = breachesOf(draft);
  return (
    <Section
      title="Live sessions"
      subtitle="A running application sends a heartbeat at each interval. When none has come for the timeout, its seat is free. The timeout is at least twice the interval, so that one lost heartbeat does no harm. What you set counts from the next heartbeat on."
      help="activations-and-sessions"
    >
      <Box
        sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", md: "repeat(3, 1fr)" } }}
      >
        <NumberField
          name="heartbeatIntervalSeconds"
          label="Heartbeat interval in seconds"
          hint="1 to 3600. Shorter ones free seats sooner and cost more traffic."
          min={1}
          max={3_600}
          value={draft.heartbeatIntervalSeconds}
          onValue={(heartbeatIntervalSeconds) => {
            set({ heartbeatIntervalSeconds });
          }}
        />
        <NumberField
          name="sessionTimeoutSeconds"
          label="Session timeout in seconds"
          hint="3 to 86400. After a crash, a seat is taken for as long."
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
          label="Least spacing in seconds"
          hint="Heartbeats that come faster are turned away. No more than the interval."
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

/** What holds for license files, for end users and for downloads. */
export const LicensesSection = ({ draft, set }: SectionProps) => (
  <Section title="Licenses and downloads" help="offline">
    <Stack sx={{ gap: 2 }}>
      <Box
        sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", md: "repeat(2, 1fr)" } }}
      >
        <NumberField
          name="offlineFileLifetimeDays"
          label="Lifetime of license.bin in days"
          hint="1 to 3650; empty for as long as the license. A revoked license works offline until its file is to be renewed."
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
          label="Device releases a year"
          hint="0 to 1000. How often the holder of a license may free a seat in the portal."
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
            Downloads need a license
            <Typography variant="body2" color="textSecondary">
              Applications are offered files only with the key of a license that is good. Without
              this, the product key is enough.
            </Typography>
          </Box>
        }
      />
    </Stack>
  </Section>
);
