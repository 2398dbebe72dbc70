import Avatar from "@mui/material/Avatar";
import { ProductIcon } from "../../ui/icons";
import type { Product } from "../../api/types";
import styles from "./parts.module.css";
import { serviceUrl } from "../../api/address";

/** The image of a product, or a placeholder icon. Decorative: the name is shown next to it. */
export const ProductPicture = ({ product }: { product: Product }) => (
  <Avatar
    variant="rounded"
    alt=""
    src={product.imageUrl ? serviceUrl(product.imageUrl) : undefined}
    slotProps={{ img: { loading: "lazy", className: styles.image } }}
    className={styles.picture}
  >
    <ProductIcon aria-hidden />
  </Avatar>
);
