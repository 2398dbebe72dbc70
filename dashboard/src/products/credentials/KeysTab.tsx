import type { TabProps } from "../parts/TabProps";
export const KeysTab = ({ product, manage }: TabProps) => <>{manage && product.name}</>;
