import Stack from "@mui/material/Stack";
import type { TabProps } from "../parts/TabProps";
import { DangerZone } from "./DangerZone";
import { SettingsSummary } from "./SettingsSummary";
import { SettingsForm } from "./SettingsForm";

/** Settings of a product; read-only without permission to manage it. */
export const SettingsTab = ({ product, manage }: TabProps) =>
  manage ? (
    <Stack sx={{ gap: 2.5 }}>
      <SettingsForm product={product} />
      <DangerZone product={product} />
    </Stack>
  ) : (
    <SettingsSummary product={product} />
  );
