import type { TabProps } from "../parts/TabProps";
export const FeaturesTab = ({ product, manage }: TabProps) => <>{manage && product.name}</>;
