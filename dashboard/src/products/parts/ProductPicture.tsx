import Avatar from "@mui/material/Avatar";
import { ProductIcon } from "../../ui/icons";
import type { Product } from "../../api/types";

/** The image of a product, or a placeholder icon. Decorative: the name is shown next to it. */
export const ProductPicture = ({ product, size = 36 }: { product: Product; size?: number }) => (
  <Avatar
    variant="rounded"
    alt=""
    src={product.imageUrl ?? undefined}
    slotProps={{ img: { loading: "lazy", style: { objectFit: "contain" } } }}
    sx={{
      width: size,
      height: size,
      bgcolor: product.imageUrl ? "transparent" : "action.hover",
      color: "text.secondary",
    }}
  >
    <ProductIcon style={{ fontSize: size * 0.55 }} aria-hidden />
  </Avatar>
);
