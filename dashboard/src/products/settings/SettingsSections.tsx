import { t } from "@lingui/core/macro";
import { FormCheckbox } from "../../ui/form/FormCheckbox";
import type { ApiForm } from "../../ui/form/useApiForm";
import { Column } from "../../ui/layout/layout";
import { Section } from "../../ui/Section";
import type { SettingsDraft } from "./draft";
import { NumberField } from "./NumberField";
import styles from "./settings.module.css";

interface SectionProps {
  form: ApiForm<SettingsDraft>;
}

/** Heartbeat and session timeout settings. */
export function SessionsSection({ form }: SectionProps) {
  const { field, trigger } = form;
  // What one becomes makes others right or wrong.
  const check = () =>
    void trigger(["settings.sessionTimeoutSeconds", "settings.heartbeatMinSpacingSeconds"]);
  return (
    <Section
      title={t`Live sessions`}
      subtitle={t`A running application sends heartbeats at this interval. If none arrives before the timeout, its seat is freed. The timeout must be at least twice the interval, so that one lost heartbeat does no harm. Changes apply from the next heartbeat.`}
      help="activations-and-sessions"
    >
      <div className={styles.thirds}>
        <NumberField
          {...field("settings.heartbeatIntervalSeconds")}
          label={t`Heartbeat interval (seconds)`}
          helperText={t`1 to 3600. Shorter intervals free seats sooner but cause more traffic.`}
          required
          onValue={check}
        />
        <NumberField
          {...field("settings.sessionTimeoutSeconds")}
          label={t`Session timeout (seconds)`}
          helperText={t`3 to 86400. After a crash, the seat stays taken for this long.`}
          required
          onValue={check}
        />
        <NumberField
          {...field("settings.heartbeatMinSpacingSeconds")}
          label={t`Minimum heartbeat spacing (seconds)`}
          helperText={t`More frequent heartbeats are rejected. At most the interval.`}
          required
          demand={{ minimum: 0 }}
          onValue={check}
        />
      </div>
    </Section>
  );
}

/** Settings for license files, the portal and downloads. */
export const LicensesSection = ({ form: { field } }: SectionProps) => (
  <Section title={t`Licenses and downloads`} help="offline">
    <Column gap="l">
      <div className={styles.halves}>
        <NumberField
          {...field("settings.offlineFileLifetimeDays")}
          label={t`License file lifetime (days)`}
          helperText={t`1 to 3650, or empty for the term of the license. A revoked license keeps working offline until its file must be refreshed.`}
        />
        <NumberField
          {...field("settings.deviceReleasesPerYear")}
          label={t`Device releases per year`}
          helperText={t`0 to 1000. How often an end user may free a seat in the portal.`}
          required
          demand={{ minimum: 0 }}
        />
      </div>
      <FormCheckbox
        {...field("settings.downloadsNeedLicense")}
        look="switch"
        label={t`Downloads require a license`}
        helperText={t`Applications can download files only with the key of a valid license. If off, the product key is enough.`}
      />
    </Column>
  </Section>
);
