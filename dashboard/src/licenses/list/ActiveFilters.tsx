import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { FilterChip } from "../../ui/list/FilterChip";
import { filterWords } from "./filterKinds";
import styles from "./licenseList.module.css";
import { BUILT_IN_VIEWS, FILTER_NAMES, isView } from "./listViews";
import { SaveView } from "./SaveView";
import { useFilterSubjects } from "./useFilterSubjects";
import { useLicenseList } from "./useLicenseList";

/** The active filters as removable chips; a built-in view says what it filters by its name. */
export function ActiveFilters() {
  const { filters, sort, setFilters, clearFilters } = useLicenseList();
  const subjects = useFilterSubjects(filters);
  const active = FILTER_NAMES.flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [[name, filterWords(name, value, subjects)] as const];
  });
  if (active.length === 0 || BUILT_IN_VIEWS.some((view) => isView(view, filters, sort)))
    return null;
  return (
    <div className={styles.active}>
      {active.map(([name, words]) => (
        <FilterChip key={name} words={words} onRemove={() => setFilters({ [name]: null })} />
      ))}
      <Button size="small" onClick={clearFilters}>
        {t`Clear filters`}
      </Button>
      <SaveView />
    </div>
  );
}
