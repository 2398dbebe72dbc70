import type { License } from "../../api/types";
import { useList, useListContext } from "../../ui/list/useList";
import { asked, FILTER_NAMES, NEWEST_FIRST } from "./listViews";

/** The list of an institution, or of all that a system Admin sees. */
export const useLicensesOf = (institutionId: string | null) =>
  useList<License>({
    path: "licenses",
    fixed: { institutionId },
    filterNames: FILTER_NAMES,
    asked: (filters) => asked(filters),
    sort: NEWEST_FIRST,
  });

/** The list that the component stands in. */
export const useLicenseList = () => useListContext<License>();
