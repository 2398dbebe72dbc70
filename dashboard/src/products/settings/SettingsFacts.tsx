import Typography from "@mui/material/Typography";
import type { Product } from "../../api/types";
import { Facts } from "../../ui/Facts";
import { number } from "../../ui/formats";
import { Section } from "../../ui/Section";

/** The settings for those who read. */
export const SettingsFacts = ({ product }: { product: Product }) => {
  const { settings } = product;
  return (
    <Section title="Settings">
      <Typography sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere", mb: 2 }} dir="auto">
        {product.description}
      </Typography>
      <Facts
        facts={[
          ["Access", product.accessType],
          ["Heartbeat interval", `${number(settings.heartbeatIntervalSeconds)} s`],
          ["Session timeout", `${number(settings.sessionTimeoutSeconds)} s`],
          ["Least spacing of heartbeats", `${number(settings.heartbeatMinSpacingSeconds)} s`],
          [
            "Lifetime of license.bin",
            settings.offlineFileLifetimeDays === null
              ? "As long as the license"
              : `${number(settings.offlineFileLifetimeDays)} days`,
          ],
          ["Device releases a year", number(settings.deviceReleasesPerYear)],
          ["Downloads need a license", settings.downloadsNeedLicense ? "Yes" : "No"],
        ]}
      />
    </Section>
  );
};
