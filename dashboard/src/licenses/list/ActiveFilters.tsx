import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { $api, at } from "../../api/client";
import { FilterChip } from "../../ui/list/FilterChip";
import type { Filters } from "../../ui/list/useList";
import { SaveView } from "../../ui/list/views/SavedViews";
import { isView } from "../../ui/list/views/view";
import { usePolicy, useProduct } from "../../ui/useProduct";
import { useColumns } from "./columns";
import { type FilterSubjects, filterWords } from "./filterKinds";
import styles from "./licenseList.module.css";
import { BUILT_IN_VIEWS, FILTER_NAMES, useLicenseList } from "./useLicenseList";

/** The active filters as removable chips; a built-in view says what it filters by its name. */
export function ActiveFilters() {
  const { filters, sort, setFilters, clearFilters } = useLicenseList();
  const { shown } = useColumns();
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
      <SaveView columns={shown.map(({ key }) => key)} />
    </div>
  );
}

interface Asked {
  data?: { name: string } | undefined;
  isError: boolean;
}

const nameOf = ({ data, isError }: Asked) => data?.name ?? (isError ? t`deleted` : "…");

/** The names of the product, policy and customer that the list is filtered by. */
function useFilterSubjects(filters: Filters): FilterSubjects {
  const { productId, policyId, customerId = "" } = filters;
  const product = useProduct(productId);
  const policy = usePolicy(policyId);
  const customer = $api.useQuery("get", "/api/customers/{customerId}", at({ customerId }), {
    enabled: customerId !== "",
  });
  return { productId: nameOf(product), policyId: nameOf(policy), customerId: nameOf(customer) };
}
