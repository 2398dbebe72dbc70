import type { Product } from "../../api/types";

/** Props of each tab of a product's page. */
export interface TabProps {
  product: Product;
  /** Whether the user may change the product and see its credentials. */
  manage: boolean;
}
