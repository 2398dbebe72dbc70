import type { TabProps } from "../parts/TabProps";
export const ReleasesTab = ({ product, manage }: TabProps) => <>{manage && product.name}</>;
