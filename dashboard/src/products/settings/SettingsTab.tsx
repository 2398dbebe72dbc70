import type { TabProps } from "../parts/TabProps";
export const SettingsTab = ({ product, manage }: TabProps) => <>{manage && product.name}</>;
