import { t } from "@lingui/core/macro";
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { $api, api, at } from "../../../api/client";
import type { Schemas } from "../../../api/types";
import { number } from "../../formats";
import { useInstitution } from "../../useInstitution";
import { useNotifyChanged } from "../../useNotifyChanged";
import type { Sort } from "../sorting";
import { type List, useListContext } from "../useList";
import type { KeptView, ListView } from "./view";

type SavedView = Schemas["SavedView"];

const isText = (entry: [string, string | string[]]): entry is [string, string] =>
  typeof entry[1] === "string";

const keptView = (view: SavedView, usualSort: Sort): KeptView => ({
  id: view.id,
  label: view.name,
  filter: Object.fromEntries(Object.entries(view.filters).filter(isText)),
  sort: view.sort ?? usualSort,
  columns: view.columns,
  isShared: view.shared,
  mayChange: view.mayChange,
});

const kindOf = (views: List<unknown>["views"]) => views ?? "Licenses";

/** The views of the list that the user has saved, and those shared in the institution. */
export function useSavedViews(): KeptView[] {
  const { institutionId } = useInstitution();
  const { views, usualSort } = useListContext();
  const { data } = $api.useQuery(
    "get",
    "/api/views",
    {
      params: {
        query: { institutionId: institutionId ?? null, list: kindOf(views), pageSize: 100 },
      },
    },
    { enabled: Boolean(institutionId) && views !== undefined, staleTime: 30_000 },
  );
  return data?.items.map((view) => keptView(view, usualSort)) ?? [];
}

const COUNTED_MS = 60_000;
/** More would be many requests; what is counted first stands first. */
const MOST_COUNTED = 12;

/** How many items the views list, by their IDs, once the list itself is there. */
export function useViewCounts(views: readonly KeptView[]): ReadonlyMap<string, string> {
  const { countOf, items, isStale } = useListContext();
  const [hasList, setHasList] = useState(false);
  if (!hasList && items !== undefined && !isStale) setHasList(true);
  const counted = views.slice(0, MOST_COUNTED);
  const found = useQueries({
    queries: counted.map(({ filter }) => ({
      ...countOf(filter),
      enabled: hasList,
      staleTime: COUNTED_MS,
      retry: false,
    })),
  });
  return new Map(
    counted.flatMap(({ id }, place): [string, string][] => {
      const page = found[place]?.data;
      if (page === undefined) return [];
      return [[id, `${number(page.totalCount)}${page.totalCountCapped ? "+" : ""}`]];
    }),
  );
}

interface NewView extends ListView {
  columns: string[] | null;
  isShared: boolean;
}

/** What changes views; each tells of it and shows the views as they are then. */
export function useViewChanges() {
  const { institutionId } = useInstitution();
  const { views } = useListContext();
  const notifyChanged = useNotifyChanged();
  const pathOf = ({ id }: KeptView) => at({ viewId: id });
  return {
    save: async ({ label, filter, sort, columns, isShared }: NewView) => {
      const view = { name: label, filters: filter, sort, columns, shared: isShared };
      await api.POST("/api/views", {
        body: { institutionId: institutionId ?? null, list: kindOf(views), ...view },
      });
      notifyChanged(t`View ${{ view: label }} saved.`);
    },
    rename: async (view: KeptView, name: string) => {
      await api.PUT("/api/views/{viewId}", { ...pathOf(view), body: { name } });
      notifyChanged(t`View ${{ view: name }} saved.`);
    },
    share: async (view: KeptView, shared: boolean) => {
      await api.PUT("/api/views/{viewId}", { ...pathOf(view), body: { shared } });
      notifyChanged(
        shared
          ? t`Everyone sees the view ${{ view: view.label }} now.`
          : t`The view ${{ view: view.label }} is yours alone.`,
      );
    },
    remove: async (view: KeptView) => {
      await api.DELETE("/api/views/{viewId}", pathOf(view));
      notifyChanged(t`View ${{ view: view.label }} deleted.`);
    },
  };
}
