import { plural, t } from "@lingui/core/macro";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { OrderIcon } from "../../ui/icons";
import { paidText, statusOf } from "../../ui/orders";
import { useInstitution } from "../../ui/useInstitution";
import { fitting, type Offer, type Section } from "./found";
import { isFiller, isNoun, wordsOf } from "./words";

type Order = Schemas["Order"];
type Filter = { status?: Schemas["OrderStatus"]; disputed?: boolean };

/** A list of orders, by the name that it is looked for by. */
interface View extends Offer {
  filter: Filter;
}

const viewOf = (label: string, filter: Filter, words = ""): View => {
  const query = new URLSearchParams(
    Object.entries(filter).map(([name, value]) => [name, String(value)]),
  );
  const to = `/orders?${query.toString()}`;
  return { filter, key: to, label, kind: "Page", icon: OrderIcon, to, words };
};

/** What orders are looked for by, besides their numbers and buyers. */
const VIEWS: readonly View[] = [
  viewOf(t`Refunded`, { status: "Refunded" }, t`refunds paid back`),
  viewOf(t`Disputed`, { disputed: true }, t`disputes chargebacks`),
  viewOf(t`Unmatched`, { status: "Unmatched" }),
  viewOf(t({ message: "Canceled", context: "order" }), { status: "Canceled" }),
];

/** An order as it is offered. */
export function orderOffer(order: Order): Offer {
  const { id, externalId, customerName, email, status } = order;
  return {
    key: id,
    label: externalId,
    kind: "Order",
    icon: OrderIcon,
    to: `/orders/${id}`,
    status: statusOf(order),
    detail: [customerName ?? email, paidText(order)].filter(Boolean).join(" · "),
    ...(status === "Unmatched" && {
      thing: { kind: "Order", id, licenseId: null, title: externalId, status },
    }),
  };
}

const NEWEST = 3;

interface OrderViews {
  /** The list that is called so, with how many it has, and the newest of them. */
  section: Section;
  isFetching: boolean;
}

/** The orders of a status that a text names: "refunded"; asked for by those who see orders. */
export function useOrderViews(text: string, mayRead: boolean): OrderViews {
  const { institutionId } = useInstitution();
  const status = wordsOf(text)
    .filter((word) => !isFiller(word) && !isNoun(word))
    .join(" ");
  const [view] = mayRead && status ? fitting(VIEWS, status) : [];
  const query = {
    ...view?.filter,
    institutionId: institutionId ?? null,
    sort: "-createdAt",
    pageSize: NEWEST,
  };
  const { data, isFetching } = $api.useQuery(
    "get",
    "/api/orders",
    { params: { query } },
    { enabled: view !== undefined && institutionId !== undefined },
  );
  const total = data?.totalCount ?? 0;
  const offers = view
    ? [
        {
          ...view,
          label: t`Orders: ${{ view: view.label }}`,
          ...(data && { detail: plural(total, { one: "# order", other: "# orders" }) }),
        },
        ...(data?.items ?? []).map(orderOffer),
      ]
    : [];
  return { section: { title: t`Orders by status`, offers }, isFetching };
}
