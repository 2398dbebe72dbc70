import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import { useProduct } from "../../ui/useProduct";
import { usePolicy } from "./policies";

/** The name of a policy with that of its product, linked to it. */
export function PolicyName({ policyId }: { policyId: string }) {
  const { data, isError } = usePolicy(policyId);
  const product = useProduct(data?.productId);
  if (isError) return "a policy that was deleted";
  if (!data) return "…";
  return (
    <>
      <Link component={RouterLink} to={`/products/${data.productId}/policies`}>
        {data.name}
      </Link>
      {product.data && ` of ${product.data.name}`}
    </>
  );
}
