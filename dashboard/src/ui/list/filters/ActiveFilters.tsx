import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useCustomerOf, usePolicy, useProduct } from "../../useProduct";
import { FilterChip } from "../FilterChip";
import { useListContext } from "../useList";
import { SaveView } from "../views/SavedViews";
import { isView, type ListView } from "../views/view";
import { type FilterKind, isActive, removed, SEARCH_KIND } from "./filter";
import styles from "./filters.module.css";

interface ActiveFiltersProps {
  kinds: readonly FilterKind[];
  /** Views that say what they filter by their names. */
  builtIn?: readonly ListView[];
  /** The columns that a saved view shows, if they can be chosen. */
  columns?: string[];
}

/** The active filters as removable chips, and what saves them as a view. */
export function ActiveFilters({ kinds, builtIn = [], columns }: ActiveFiltersProps) {
  const { filters, sort, views, clearFilters } = useListContext();
  const active = [SEARCH_KIND, ...kinds].filter((kind) => isActive(kind, filters));
  if (active.length === 0 || builtIn.some((view) => isView(view, filters, sort))) return null;
  return (
    <div className={styles.active}>
      {active.map((kind) => (
        <ActiveFilter key={kind.name} kind={kind} />
      ))}
      <Button size="small" onClick={clearFilters}>
        {t`Clear filters`}
      </Button>
      {views && <SaveView columns={columns ?? null} />}
    </div>
  );
}

function ActiveFilter({ kind }: { kind: FilterKind }) {
  const { filters, setFilters } = useListContext();
  const { name, label, choices, words } = kind;
  const id = filters[name] ?? "";
  const subject = useSubject(kind, id);
  const value = subject ?? choices?.find(([choice]) => choice === id)?.[1] ?? id;
  return (
    <FilterChip
      words={words?.(filters) ?? t`${label}: ${value}`}
      onRemove={() => setFilters(removed(kind))}
    />
  );
}

/** The name behind the ID that a filter has; null for a value that is none. */
function useSubject({ subject }: FilterKind, id: string): string | null {
  const idOf = (of: typeof subject) => (subject === of ? id : null);
  const product = useProduct(idOf("product"));
  const policy = usePolicy(idOf("policy"));
  const customer = useCustomerOf(idOf("customer"));
  if (subject === undefined) return null;
  const { data, isError } = { product, policy, customer }[subject];
  return data?.name ?? (isError ? t`deleted` : "…");
}
