import { useDataProvider, type DataProvider } from "ra-core";
import { useMemo } from "react";
import { asked } from "./listViews";

/** react-admin's data provider, with the filters of the list converted for the API. */
export function useLicenseListData(): DataProvider {
  const provider = useDataProvider();
  return useMemo(
    () => ({
      ...provider,
      getList: (resource, params) =>
        provider.getList(
          resource,
          resource === "licenses" ? { ...params, filter: asked(params.filter) } : params,
        ),
    }),
    [provider],
  );
}
