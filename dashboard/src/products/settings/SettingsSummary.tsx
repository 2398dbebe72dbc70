import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import type { Product } from "../../api/types";
import { DescriptionList } from "../../ui/DescriptionList";
import { number } from "../../ui/formats";
import { daysText } from "../../ui/quantities";
import { Section } from "../../ui/Section";
import { ACCESS_LABELS } from "../parts/access";
import styles from "./settings.module.css";

const seconds = (count: number) => t`${{ count: number(count) }} s`;

/** The settings, read-only. */
export const SettingsSummary = ({ product }: { product: Product }) => {
  const { settings } = product;
  return (
    <Section title={t`Settings`}>
      <Typography className={styles.description} dir="auto">
        {product.description}
      </Typography>
      <DescriptionList
        facts={[
          [t`Access`, ACCESS_LABELS[product.accessType]],
          [t`Heartbeat interval`, seconds(settings.heartbeatIntervalSeconds)],
          [t`Session timeout`, seconds(settings.sessionTimeoutSeconds)],
          [t`Minimum heartbeat spacing`, seconds(settings.heartbeatMinSpacingSeconds)],
          [
            t`License file lifetime`,
            settings.offlineFileLifetimeDays === null
              ? t`Until the license expires`
              : daysText(settings.offlineFileLifetimeDays),
          ],
          [t`Device releases per year`, number(settings.deviceReleasesPerYear)],
          [t`Downloads require a license`, settings.downloadsNeedLicense ? t`Yes` : t`No`],
        ]}
      />
    </Section>
  );
};
