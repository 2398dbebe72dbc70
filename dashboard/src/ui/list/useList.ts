import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useState } from "react";
import { request } from "../../api/client";
import type { Schemas } from "../../api/types";
import { useUrlParams } from "../useUrlParams";
import type { Selection } from "../table/selection/useSelection";
import type { Sort } from "./sorting";

export type Query = Record<string, Value | readonly Value[]>;
type Value = string | number | boolean | null | undefined;
export type Filters = Record<string, string>;

export const PAGE_SIZES = [10, 25, 50, 100];

/** The most that the API gives at once. */
const PAGE_MAX = 100;

export interface ListOptions {
  /** The path of the collection below `/api`: `licenses/{id}/activations`. */
  path: string;
  /** Filters that belong to the page and cannot be taken away. */
  fixed?: Query;
  /** The names of the filters that can be set. */
  filterNames?: readonly string[];
  /** The filters as the API takes them. */
  asked?: (filters: Filters) => Query;
  sort: Sort;
  pageSize?: number;
  /** Whether page, order and filters stand in the address; one list of a page can. */
  inUrl?: boolean;
  enabled?: boolean;
  /** In milliseconds, for the items that the page shows. */
  refetchInterval?: number | ((items: readonly unknown[]) => number);
  /** What the server calls the list, if views of it can be saved. */
  views?: Schemas["ListKind"];
}

export interface List<T> {
  /** The items of the page; undefined while loading. */
  items: T[] | undefined;
  /** How many there are on all pages. */
  total: number | undefined;
  /** Whether there are more than `total`, which the API counts no further. */
  isCapped: boolean;
  error: Error | null;
  refetch: () => void;
  /** The path of everything that matches, for an export. */
  matching: string;
  views: ListOptions["views"];
  /** How to fetch how many items match filters. */
  countOf: (filters: Filters) => CountQuery;
  /** Fetches the first items of all pages, at most so many. */
  fetchUpTo: (count: number) => Promise<T[]>;
  /** Whether the items are those of the query before, until the new ones are here. */
  isStale: boolean;
  filters: Filters;
  /** Changes some filters; an empty value removes one. Returns to the first page. */
  setFilters: (change: Query) => void;
  /** Removes every filter. */
  clearFilters: () => void;
  /** Shows exactly these filters, in this order. */
  show: (filters: Filters, sort: Sort) => void;
  sort: Sort;
  /** The order as long as nobody chose another. */
  usualSort: Sort;
  setSort: (sort: Sort) => void;
  page: number;
  setPage: (page: number) => void;
  pageSize: number;
  setPageSize: (size: number) => void;
  /** What is selected of it, if items can be. */
  selection?: Selection<T>;
}

interface Page<T> {
  items: T[];
  totalCount: number;
  totalCountCapped: boolean;
}

const isSeveral = (value: Query[string]): value is readonly Value[] => Array.isArray(value);

const queryOf = (values: Query): string => {
  const given = Object.entries(values).flatMap(([name, value]) =>
    (isSeveral(value) ? value : [value]).map((one): [string, string] => [name, String(one ?? "")]),
  );
  return new URLSearchParams(given.filter(([, value]) => value !== "")).toString();
};

interface CountQuery {
  queryKey: readonly string[];
  queryFn: () => Promise<Page<unknown>>;
}

/** Every item gets an `id`; that of a member is their `userId`. */
const identified = <T>(item: T): T => ({ id: (item as { userId?: string }).userId, ...item });

/** The key of every page of a list, for who changes what is in it. */
export const listKey = (path: string) => ["get", `/api/${path}`] as const;

async function fetchPage<T>(path: string): Promise<Page<T>> {
  const page = await request<Page<T>>("GET", path);
  return { ...page, items: page.items.map(identified) };
}

interface Params {
  params: URLSearchParams;
  change: (values: Record<string, string | null>, replace?: boolean) => void;
}

/** Query parameters that stay in the component instead of the address. */
function useOwnParams() {
  const [params, setParams] = useState(() => new URLSearchParams());
  const change = (values: Record<string, string | null>) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      for (const [name, value] of Object.entries(values))
        if (value) next.set(name, value);
        else next.delete(name);
      return next;
    });
  return { params, change };
}

/** A numbered list of the API: its page, order and filters, and its items. */
export function useList<T>(options: ListOptions): List<T> {
  const { path, fixed, filterNames = [], asked, inUrl = true, pageSize: usual = 25 } = options;
  const { refetchInterval: every } = options;
  const url = useUrlParams();
  const own = useOwnParams();
  const { params, change }: Params = inUrl ? url : own;
  const page = Math.max(1, Math.trunc(Number(params.get("page"))) || 1);
  const pageSize = PAGE_SIZES.find((size) => String(size) === params.get("size")) ?? usual;
  const sort = params.get("sort") ?? options.sort;
  const filters: Filters = Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = params.get(name);
      return value ? [[name, value]] : [];
    }),
  );
  const matching = { sort, ...(asked ?? (() => filters))(filters), ...fixed };
  const query = queryOf({ page, pageSize, ...matching });
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: [...listKey(path), query],
    queryFn: () => fetchPage<T>(`/api/${path}?${query}`),
    placeholderData: keepPreviousData,
    ...(options.enabled !== undefined && { enabled: options.enabled }),
    refetchInterval: ({ state }) => {
      if (typeof every !== "function") return every ?? false;
      return state.error ? false : every(state.data?.items ?? []);
    },
  });
  const none = Object.fromEntries(filterNames.map((name) => [name, null]));
  const last = data && Math.max(1, Math.ceil(data.totalCount / pageSize));
  const isBeyond = last !== undefined && page > last && !isPlaceholderData;
  useEffect(() => {
    // The last item of the last page was deleted.
    if (isBeyond) change({ page: last > 1 ? String(last) : null }, true);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `change` is new at every render
  }, [isBeyond, last]);
  return {
    items: data?.items,
    total: data?.totalCount,
    isCapped: data?.totalCountCapped ?? false,
    error: data ? null : error,
    refetch: () => void refetch(),
    fetchUpTo: async (count) => {
      const pages = Array.from({ length: Math.ceil(count / PAGE_MAX) }, (_, place) =>
        queryOf({ page: place + 1, pageSize: PAGE_MAX, ...matching }),
      );
      const found: T[] = [];
      for (const one of pages) found.push(...(await fetchPage<T>(`/api/${path}?${one}`)).items);
      return found.slice(0, count);
    },
    matching: `/api/${path}?${queryOf({ ...matching, sort: null })}`,
    views: options.views,
    countOf: (others) => {
      const one = queryOf({ pageSize: 1, ...(asked?.(others) ?? others), ...fixed, include: null });
      return {
        queryKey: [...listKey(path), one],
        queryFn: () => fetchPage<unknown>(`/api/${path}?${one}`),
      };
    },
    isStale: isPlaceholderData,
    filters,
    setFilters: (changed) => {
      const given = Object.entries(changed).map(([name, value]) => [name, String(value ?? "")]);
      const isTyped = given.length === 1 && given[0]?.[0] === "search";
      change({ ...Object.fromEntries(given), page: null }, isTyped);
    },
    clearFilters: () => change({ ...none, page: null }),
    show: (shown, order) =>
      change({ ...none, ...shown, sort: order === options.sort ? null : order, page: null }),
    sort,
    usualSort: options.sort,
    setSort: (next) => change({ sort: next === options.sort ? null : next, page: null }),
    page,
    setPage: (next) => change({ page: next > 1 ? String(next) : null }),
    pageSize,
    setPageSize: (size) => change({ size: size === usual ? null : String(size), page: null }),
  };
}

export const ListContext = createContext<List<unknown> | null>(null);

/** The list that the component stands in. */
export function useListContext<T>(): List<T> {
  const list = useContext(ListContext);
  if (!list) throw new Error("useListContext needs a list around it.");
  return list as List<T>;
}
