import { t } from "@lingui/core/macro";
import type { Schemas } from "../api/types";
import { number } from "./formats";

type Line = Pick<Schemas["OrderLine"], "product" | "price" | "quantity">;

/** A line of an order in the words of the shop: "aurora-yearly × 3". */
export const lineWords = ({ product, price, quantity }: Line): string =>
  `${price ?? product ?? t`Something`}${quantity === 1 ? "" : ` × ${number(quantity)}`}`;

/** What was sold, in the words of the shop; empty if no event has said it yet. */
export const soldWords = ({ lines }: { lines: readonly Line[] }): string =>
  lines.map(lineWords).join(", ");
