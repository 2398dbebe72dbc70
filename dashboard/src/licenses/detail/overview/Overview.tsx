import { t } from "@lingui/core/macro";
import type { License } from "../../../api/types";
import { Section } from "../../../ui/Section";
import { useCan } from "../../../ui/useInstitution";
import { LatestDevices } from "./LatestDevices";
import { LatestEvents } from "./LatestEvents";
import { LicenseDetails } from "./LicenseDetails";
import { LicenseFile } from "./LicenseFile";
import { Metadata } from "./Metadata";
import { Notes } from "./Notes";
import styles from "./overview.module.css";

/** The license at a glance: its terms and use, what happened last, and what the team wrote. */
export function Overview({ license }: { license: License }) {
  const { manage } = useCan(license.institutionId);
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <LicenseDetails license={license} />
        <LicenseFile license={license} />
      </div>
      <div className={styles.column}>
        <LatestEvents license={license} />
        {manage && <LatestDevices license={license} />}
        <Section title={t`Notes`}>
          <Notes text={license.notes} />
        </Section>
        <Section title={t`Metadata`}>
          <Metadata pairs={license.metadata} />
        </Section>
      </div>
    </div>
  );
}
