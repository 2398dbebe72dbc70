import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { $api } from "../../api/client";
import { Item, ItemList } from "../../ui/ItemList";
import { PageLink } from "../../ui/PageLink";
import { RowMenu } from "../../ui/table/RowMenu";
import { usePolicy, useProduct } from "../../ui/useProduct";
import { byPrecision, matchWords, QUANTITY_WORDS, RENEWAL_WORDS, type SaleRule } from "./rule";

/** The policies of a product; disabled without one. */
export const usePolicies = (productId: string | null) =>
  $api.useQuery(
    "get",
    "/api/policies",
    { params: { query: { productId, pageSize: 100, sort: "name" } } },
    { enabled: productId !== null },
  );

/** The name of a policy with that of its product, linked to it. */
export function PolicyName({ policyId }: { policyId: string }) {
  const { data, isError } = usePolicy(policyId);
  const product = useProduct(data?.productId);
  if (isError) return t`a policy that was deleted`;
  if (!data) return "…";
  const policy = <PageLink to={`/products/${data.productId}/policies`}>{data.name}</PageLink>;
  const productName = product.data?.name;
  if (!productName) return policy;
  return (
    <Trans>
      {policy} of {productName}
    </Trans>
  );
}

interface RuleListProps {
  rules: readonly SaleRule[];
  onEdit: (rule: SaleRule) => void;
  onDelete: (rule: SaleRule) => void;
}

const Gives = ({ rule }: { rule: SaleRule }) =>
  rule.policyId === null ? (
    t`No license`
  ) : (
    <>
      <PolicyName policyId={rule.policyId} /> · {QUANTITY_WORDS[rule.quantityAs]}
      {rule.renews === "Updates" && ` · ${RENEWAL_WORDS.Updates}`}
    </>
  );

/** Rules in the order in which they count. */
export const RuleList = ({ rules, onEdit, onDelete }: RuleListProps) => (
  <ItemList label={t`Rules`}>
    {byPrecision(rules).map((rule) => {
      const words = matchWords(rule.match);
      return (
        <Item
          key={JSON.stringify(rule.match)}
          title={words}
          detail={<Gives rule={rule} />}
          end={
            <RowMenu
              name={words}
              acts={[
                { label: t`Edit`, act: () => onEdit(rule) },
                { label: t`Delete`, isGrave: true, act: () => onDelete(rule) },
              ]}
            />
          }
        />
      );
    })}
  </ItemList>
);
