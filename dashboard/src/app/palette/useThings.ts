import { t } from "@lingui/core/macro";
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { $api } from "../../api/client";
import type { License, Schemas } from "../../api/types";
import { folded } from "../../ui/folded";
import {
  BoltIcon,
  CustomerIcon,
  DevicesIcon,
  LicenseIcon,
  ProductIcon,
  ReleaseIcon,
  UnlinkIcon,
  type Icon,
} from "../../ui/icons";
import { answerInList } from "../../ui/license/answer";
import { shortOf } from "../../ui/license/LicenseChip";
import { useCan, useInstitution } from "../../ui/useInstitution";
import { useEntries } from "../shell/entries";
import type { Offer, Section, Thing } from "./found";
import { productIn, wishOf, wishOffers } from "./issueWish";
import { detailOf, inOrder as licensesInOrder, licenseOffers } from "./licenseActs";
import { likelyRequestOf, type Request, requestOf } from "./request";
import { customerOffers, deviceOffers, sessionOffers } from "./thingActs";
import { useIdOf } from "./useInView";
import { orderOffer, useOrderViews } from "./useOrderViews";
import { beginningsOf, isMeant } from "./typos";
import type { Verb } from "./verbs";

export type Hit = Schemas["SearchHit"];
type Group = Schemas["SearchGroup"];
type Order = Schemas["Order"];

interface Kind {
  title: string;
  icon: Icon;
  pathOf: (hit: Hit) => string;
}

/** The kinds of things that the server finds. */
export const KINDS: Record<Hit["kind"], Kind> = {
  License: { title: t`Licenses`, icon: LicenseIcon, pathOf: ({ id }) => `/licenses/${id}` },
  Customer: { title: t`Customers`, icon: CustomerIcon, pathOf: ({ id }) => `/customers/${id}` },
  Product: { title: t`Products`, icon: ProductIcon, pathOf: ({ id }) => `/products/${id}` },
  Release: {
    title: t`Releases`,
    icon: ReleaseIcon,
    pathOf: ({ id, productId }) => `/products/${productId ?? ""}/releases/${id}`,
  },
  Device: {
    title: t`Devices`,
    icon: DevicesIcon,
    pathOf: ({ licenseId, title }) =>
      `/licenses/${licenseId ?? ""}/activations?search=${encodeURIComponent(title)}`,
  },
  Session: {
    title: t`Sessions`,
    icon: UnlinkIcon,
    pathOf: ({ licenseId, title }) =>
      `/licenses/${licenseId ?? ""}/sessions?search=${encodeURIComponent(title)}`,
  },
};

const PAUSE_MS = 120;

/** The text once the user stops typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setSettled, PAUSE_MS, text);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** A hit as it is offered; of a license, `license` says what tells it from others of its name. */
function offerOf(hit: Hit, license?: License): Offer {
  const { icon, pathOf } = KINDS[hit.kind];
  const former = hit.formerKey && t`Former key`;
  const known = license ? [detailOf(license)] : [hit.licenseName, hit.productName, hit.detail];
  const detail = [former, ...known].filter(Boolean).join(" · ");
  return {
    key: hit.id,
    label: hit.title,
    kind: hit.kind,
    icon,
    to: pathOf(hit),
    ...emblemOf(hit),
    ...(detail && { detail }),
    ...(hit.status && { status: hit.status }),
    ...(license && { verdict: shortOf(answerInList(license)) }),
    ...(isThing(hit) && { thing: hit }),
  };
}

/** A license looks like its product. */
function emblemOf({ kind, title, productName }: Hit): Pick<Offer, "emblem"> {
  if (kind === "Customer") return { emblem: { kind: "person", name: title } };
  const name = kind === "Product" ? title : kind === "License" ? productName : null;
  return name ? { emblem: { kind: "product", name } } : {};
}

const isThing = (hit: Hit): hit is Hit & Thing => hit.kind !== "Release";

/** What the server finds of the current institution; nothing is asked without a text. */
function useFound(q: string) {
  const { institutionId } = useInstitution();
  return $api.useQuery(
    "get",
    "/api/search",
    { params: { query: { q, institutionId: institutionId ?? null } } },
    { enabled: q !== "" && institutionId !== undefined, placeholderData: keepPreviousData },
  );
}

const ORDERS = 4;

/** The orders whose number or address begins so. */
function useOrders(q: string, mayRead: boolean) {
  const { institutionId } = useInstitution();
  const { data, isFetching } = $api.useQuery(
    "get",
    "/api/orders",
    { params: { query: { search: q, institutionId: institutionId ?? null, pageSize: ORDERS } } },
    {
      enabled: mayRead && q !== "" && institutionId !== undefined,
      placeholderData: keepPreviousData,
    },
  );
  return { orders: data?.items ?? [], isFetching };
}

/** Whether each word that was typed is meant by a word of the hit. */
function isLike(text: string, { title, detail, productName }: Hit): boolean {
  const words = folded([title, detail, productName].filter(Boolean).join(" ")).split(
    /[^\p{L}\p{N}]+/u,
  );
  return folded(text)
    .split(/\s+/)
    .every((typed) => words.some((word) => word.startsWith(typed) || isMeant(typed, word)));
}

const LICENSES = 25;
const ASKED = 6;

/** The licenses that are called so, or whose key begins so. */
function useLicenses(search: string) {
  const { institutionId } = useInstitution();
  const query = {
    search,
    institutionId: institutionId ?? null,
    sort: "expirationDate",
    pageSize: LICENSES,
  };
  const { data, isFetching } = $api.useQuery(
    "get",
    "/api/licenses",
    { params: { query } },
    { enabled: search !== "" && institutionId !== undefined, placeholderData: keepPreviousData },
  );
  return { licenses: licensesInOrder(data?.items ?? []), isFetching };
}

const CUSTOMERS = 3;

/** The licenses of customers, whatever these licenses are called. */
function useLicensesOf(customers: readonly Hit[]) {
  const query = { sort: "-createdAt", pageSize: ASKED };
  return useQueries({
    queries: customers.slice(0, CUSTOMERS).map(({ id: customerId }) =>
      $api.queryOptions("get", "/api/licenses", {
        params: { query: { ...query, customerId } },
      }),
    ),
    combine: (found) => ({
      licenses: found.flatMap(({ data }) => data?.items ?? []),
      isFetching: found.some((one) => one.isFetching),
    }),
  });
}

const NAMED: readonly Hit["kind"][] = ["License", "Customer", "Product"];

/** What is called so and no more before what is called so and more; of one name what ends first. */
function inOrder(hits: readonly Hit[], licenses: readonly License[]): Hit[] {
  const placeOf = ({ id }: Hit) => licenses.findIndex((license) => license.id === id);
  return hits.toSorted((one, other) =>
    one.match === other.match && NAMED.includes(one.kind)
      ? one.title.length - other.title.length || placeOf(one) - placeOf(other)
      : 0,
  );
}

const MATCHES: readonly Hit["match"][] = ["Exact", "Start", "Word"];

/** Of groups that match equally, what is called so before what only has such an address. */
function groupsInOrder(groups: readonly Group[], text: string): Group[] {
  const placeOf = ({ items: [best] }: Group) => (best ? MATCHES.indexOf(best.match) : 0);
  const isCalled = ({ items }: Group) =>
    Number(items.some(({ title }) => folded(title).startsWith(folded(text))));
  return groups.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || isCalled(other) - isCalled(one),
  );
}

/** What is offered to a text that asks to issue a license. */
function useWish(text: string) {
  const { institutionId } = useInstitution();
  const wish = wishOf(text);
  const query = { institutionId: institutionId ?? null, search: "", sort: "name", pageSize: 25 };
  const products = $api.useQuery(
    "get",
    "/api/products",
    { params: { query } },
    { enabled: wish !== undefined && institutionId !== undefined, staleTime: 60_000 },
  );
  const known = products.data?.items ?? [];
  const inView = useIdOf("/products/:id/*");
  const named = useFound(wish && products.data ? productIn(wish.rest, known).others : "");
  const customers = (named.data?.groups ?? [])
    .filter(({ kind }) => kind === "Customer")
    .flatMap(({ items }) => items);
  return {
    offers: wish && products.data ? wishOffers(wish, known, customers, inView) : [],
    isFetching: products.isFetching || named.isFetching,
  };
}

const likely = (groups: readonly Group[], text: string): Group[] =>
  groups
    .map((group) => ({ ...group, items: group.items.filter((hit) => isLike(text, hit)) }))
    .filter(({ items }) => items.length > 0);

interface Things {
  /** What a text with a verb asks to do. */
  asked: Section;
  sections: Section[];
  /** Whether something is called as the whole text says, so that no verb is meant by a part of it. */
  isNamed: boolean;
  /** The list of orders that is called so, with the newest of them. */
  views: Section;
  /** What may have been meant, if nothing is called so. */
  guesses: Offer[];
  /** What is called so in part, if nothing else was found. */
  partly: Section;
  isBusy: boolean;
}

const itemsOf = (kind: Hit["kind"], groups: readonly Group[] = []): Hit[] =>
  groups.filter((group) => group.kind === kind).flatMap(({ items }) => items);

interface Named {
  groups: readonly Group[];
  /** The licenses that are called so. */
  licenses: readonly License[];
  /** Those of the customers who are called so. */
  theirs: readonly License[];
  orders: readonly Order[];
}

/** What a request asks to do: of which thing, if it names none. */
function requestOffers(request: Request, { groups, licenses, theirs, orders }: Named) {
  if (!request.name) return request.verbs.map(whichOf);
  const customers = itemsOf("Customer", groups).map(({ id, title, detail }) => ({
    id,
    name: title,
    email: detail,
  }));
  const devices = itemsOf("Device", groups).filter(isThing);
  const sessions = itemsOf("Session", groups).filter(isThing);
  const onThings = request.verbs.flatMap(({ name }) => [
    ...customerOffers(name, customers),
    ...deviceOffers(name, devices),
    ...sessionOffers(name, sessions),
  ]);
  const others = theirs.filter(({ id }) => !licenses.some((license) => license.id === id));
  const onLicenses = [licenses, others].flatMap((all) => licenseOffers(request, all, orders));
  return [...onThings, ...onLicenses].slice(0, ASKED);
}

/** Asks for the thing of a verb that stands alone. */
const whichOf = ({ name, label, of }: Verb): Offer => ({
  key: `which ${name}`,
  label: {
    License: t`${{ act: label }}: which license?`,
    Customer: t`${{ act: label }}: which customer?`,
    Device: t`${{ act: label }}: which device?`,
  }[of],
  detail: t`Type its name, email or key`,
  kind: "Action",
  icon: BoltIcon,
  to: "/licenses",
  types: `${label} `,
});

/** The longest word of a name of several. */
const longestIn = (name: string): string => {
  const [longest = "", another] = name
    .split(" ")
    .toSorted((one, other) => other.length - one.length);
  return another === undefined ? "" : longest;
};

/**
 * What the server finds, the kind with the best hit first: what is called so, else what is called
 * as the text says without its verb and its filler words, else what may have been meant; and what
 * can be done to the things that are named beside a verb. What names a page, as "suspended" does,
 * is no verb with a slip.
 */
export function useThings(text: string, isPage: boolean): Things {
  const { manage } = useCan();
  const q = useSettled(text.trim());
  const found = useFound(q);
  const isUnknown = q !== "" && !found.isPlaceholderData && found.data?.groups.length === 0;
  const heard = requestOf(q);
  const request = isUnknown && !isPage && heard.verbs.length === 0 ? likelyRequestOf(q) : heard;
  const name = request.name || q;
  const named = useFound(name);
  const { licenses, isFetching } = useLicenses(name);
  const isActed = request.verbs.length > 0 && request.name !== "";
  const theirs = useLicensesOf(isActed ? itemsOf("Customer", named.data?.groups) : []);
  const mayRead = useEntries().some(({ entries }) => entries.some(({ to }) => to === "/orders"));
  const { orders, ...ordered } = useOrders(name, mayRead);
  const views = useOrderViews(q, mayRead);
  const wish = useWish(manage ? q : "");
  const isNothing = isUnknown && !named.isPlaceholderData && named.data?.groups.length === 0;
  // To ask for the same text again would never end.
  const begin = beginningsOf(name);
  const begins = isNothing && begin !== name ? begin : "";
  const meant = useFound(begins);
  const meantLicenses = useLicenses(begins);
  // A product is found by the beginning of its whole name, in which the slip may be a later word.
  const [first = ""] = name.split(/\s+/);
  const isNeither = isNothing && !meant.isFetching && !meant.data?.groups.length;
  const begun = useFound(isNeither && first !== name ? beginningsOf(first) : "");
  // A verb alone is meant as one, even where people are called Grant.
  const isVerb = !request.name && request.verbs.some(({ words }) => words.includes(folded(q)));
  const longest = longestIn(request.name);
  const isPartly = isNeither && longest !== "";
  const part = useFound(isPartly ? longest : "");
  const groups = groupsInOrder((isUnknown ? named : found).data?.groups ?? [], name);
  const offersOf = (items: readonly Hit[]) =>
    inOrder(items, licenses).map((hit) =>
      offerOf(
        hit,
        [...licenses, ...meantLicenses.licenses].find(({ id }) => id === hit.id),
      ),
    );
  const asked: Section = {
    title: t`Do it`,
    offers: [
      ...(manage
        ? requestOffers(request, {
            groups: named.data?.groups ?? [],
            licenses,
            theirs: theirs.licenses,
            orders,
          })
        : []),
      ...wish.offers,
    ],
  };
  const similar = [...(meant.data?.groups ?? []), ...(begun.data?.groups ?? [])];
  const sections = groups.map(({ kind, items }) => ({
    title: KINDS[kind].title,
    offers: offersOf(items),
  }));
  return {
    asked: text.trim() ? asked : { ...asked, offers: [] },
    guesses: isNothing ? likely(similar, name).flatMap(({ items }) => offersOf(items)) : [],
    partly: {
      title: t`Found for “${{ word: longest }}”`,
      offers: isPartly ? (part.data?.groups ?? []).flatMap(({ items }) => offersOf(items)) : [],
      isMixed: true,
    },
    isNamed: !isUnknown && groups.length > 0 && !isVerb,
    isBusy:
      text.trim() !== "" &&
      (q !== text.trim() ||
        isFetching ||
        [found, named, theirs, meant, meantLicenses, begun, part, ordered, views, wish].some(
          (one) => one.isFetching,
        )),
    sections: text.trim()
      ? [...sections, { title: t`Orders`, offers: orders.map(orderOffer) }]
      : [],
    views: text.trim() ? views.section : { ...views.section, offers: [] },
  };
}
