import Typography from "@mui/material/Typography";
import type { Product } from "../../api/types";
import { DescriptionList } from "../../ui/DescriptionList";
import { number } from "../../ui/formats";
import { Section } from "../../ui/Section";

/** The settings, read-only. */
export const SettingsSummary = ({ product }: { product: Product }) => {
  const { settings } = product;
  return (
    <Section title="Settings">
      <Typography sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere", mb: 2 }} dir="auto">
        {product.description}
      </Typography>
      <DescriptionList
        facts={[
          ["Access", product.accessType],
          ["Heartbeat interval", `${number(settings.heartbeatIntervalSeconds)} s`],
          ["Session timeout", `${number(settings.sessionTimeoutSeconds)} s`],
          ["Minimum heartbeat spacing", `${number(settings.heartbeatMinSpacingSeconds)} s`],
          [
            "License file lifetime",
            settings.offlineFileLifetimeDays === null
              ? "Until the license expires"
              : `${number(settings.offlineFileLifetimeDays)} days`,
          ],
          ["Device releases per year", number(settings.deviceReleasesPerYear)],
          ["Downloads require a license", settings.downloadsNeedLicense ? "Yes" : "No"],
        ]}
      />
    </Section>
  );
};
