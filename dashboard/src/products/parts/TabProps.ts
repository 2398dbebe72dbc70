import type { Product } from "../../api/types";

/** What each tab of a product is given. */
export interface TabProps {
  product: Product;
  /** Whether the reader may change it, and see its credentials. */
  manage: boolean;
}
