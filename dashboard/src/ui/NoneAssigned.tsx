import { t } from "@lingui/core/macro";
import { EmptyState } from "./EmptyState";
import { ProductIcon } from "./icons";

/** Tells Members to whom no product is assigned why they see nothing. */
export const NoneAssigned = () => (
  <EmptyState icon={<ProductIcon />} title={t`No product is assigned to you yet`}>
    {t`You see the products that Owners and Admins of your institution assign to you, and their licenses. Ask one of them.`}
  </EmptyState>
);
