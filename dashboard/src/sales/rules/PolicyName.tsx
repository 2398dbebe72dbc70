import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import { useProduct } from "../../ui/useProduct";
import { usePolicy } from "./policies";

/** The name of a policy with that of its product, linked to it. */
export function PolicyName({ policyId }: { policyId: string }) {
  const { data, isError } = usePolicy(policyId);
  const product = useProduct(data?.productId);
  if (isError) return t`a policy that was deleted`;
  if (!data) return "…";
  const policy = (
    <Link component={RouterLink} to={`/products/${data.productId}/policies`}>
      {data.name}
    </Link>
  );
  const productName = product.data?.name;
  if (!productName) return policy;
  return (
    <Trans>
      {policy} of {productName}
    </Trans>
  );
}
