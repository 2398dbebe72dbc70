import { Column } from "../../ui/layout/layout";
import type { TabProps } from "../parts/TabProps";
import { DangerZone } from "./DangerZone";
import { SettingsSummary } from "./SettingsSummary";
import { SettingsForm } from "./SettingsForm";

/** Settings of a product; read-only without permission to manage it. */
export const SettingsTab = ({ product, manage }: TabProps) =>
  manage ? (
    <Column gap="l">
      <SettingsForm product={product} />
      <DangerZone product={product} />
    </Column>
  ) : (
    <SettingsSummary product={product} />
  );
