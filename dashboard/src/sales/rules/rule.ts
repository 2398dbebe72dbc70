import { t } from "@lingui/core/macro";
import type { Schemas } from "../../api/types";

export type SaleRule = Schemas["SaleRule"];
export type SaleMatch = Schemas["SaleMatch"];

/** What a rule is for, in the words of the shop. */
export function matchWords({ product, price }: SaleMatch): string {
  if (price !== null && product !== null) return t`${price} of ${product}`;
  return price ?? (product === null ? t`Everything else` : t`${product}, any price ID`);
}

/** Whether two rules are for the same; a connector has one of them only. */
export const isSameMatch = (one: SaleMatch, other: SaleMatch): boolean =>
  one.product === other.product && one.price === other.price;

const precisionOf = ({ match: { price, product } }: SaleRule): number =>
  (price === null ? 0 : 2) + (product === null ? 0 : 1);

/** The rules in the order in which they count: a price before a product, and both before that. */
export const byPrecision = (rules: readonly SaleRule[]): SaleRule[] =>
  [...rules].sort((one, other) => precisionOf(other) - precisionOf(one));

/** The rule for something that was sold, as the server finds it. */
export const ruleFor = (rules: readonly SaleRule[], sold: SaleMatch): SaleRule | undefined =>
  byPrecision(rules).find(
    ({ match: { product, price } }) =>
      (product === null || product === sold.product) && (price === null || price === sold.price),
  );

/** What a payment prolongs. */
export const RENEWAL_WORDS: Record<SaleRule["renews"], string> = {
  Term: t`renews its term`,
  Updates: t`renews its updates`,
};

/** What several of something become. */
export const QUANTITY_WORDS: Record<SaleRule["quantityAs"], string> = {
  Licenses: t`a license for each`,
  Seats: t`one license, with a seat for each`,
};
