import { t } from "@lingui/core/macro";
import { $api, api, at } from "../../api/client";
import type { Schemas } from "../../api/types";
import { useInstitution } from "../../ui/useInstitution";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { NEWEST_FIRST, type KeptView, type LicenseView } from "./useLicenseList";

type SavedView = Schemas["SavedView"];

const isText = (entry: [string, string | string[]]): entry is [string, string] =>
  typeof entry[1] === "string";

const keptView = (view: SavedView): KeptView => ({
  id: view.id,
  label: view.name,
  filter: Object.fromEntries(Object.entries(view.filters).filter(isText)),
  sort: view.sort ?? NEWEST_FIRST,
  columns: view.columns,
  isShared: view.shared,
  mayChange: view.mayChange,
});

/** The views of the list that the user has saved, and those shared in the institution. */
export function useSavedViews(): KeptView[] {
  const { institutionId } = useInstitution();
  const { data } = $api.useQuery(
    "get",
    "/api/views",
    {
      params: { query: { institutionId: institutionId ?? null, list: "Licenses", pageSize: 100 } },
    },
    { enabled: Boolean(institutionId), staleTime: 30_000 },
  );
  return data?.items.map(keptView) ?? [];
}

interface NewView extends LicenseView {
  columns: string[];
  isShared: boolean;
}

/** What changes views; each tells of it and shows the views as they are then. */
export function useViewChanges() {
  const { institutionId } = useInstitution();
  const notifyChanged = useNotifyChanged();
  const pathOf = ({ id }: KeptView) => at({ viewId: id });
  return {
    save: async ({ label, filter, sort, columns, isShared }: NewView) => {
      const view = { name: label, filters: filter, sort, columns, shared: isShared };
      await api.POST("/api/views", {
        body: { institutionId: institutionId ?? null, list: "Licenses", ...view },
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
