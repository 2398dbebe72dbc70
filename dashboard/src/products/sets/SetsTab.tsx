import type { TabProps } from "../parts/TabProps";
export const SetsTab = ({ product, manage }: TabProps) => <>{manage && product.name}</>;
