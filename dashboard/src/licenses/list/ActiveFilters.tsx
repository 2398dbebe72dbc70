import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Suspense, useState } from "react";
import { $api, at } from "../../api/client";
import { SaveViewIcon } from "../../ui/icons";
import { lazy } from "../../ui/lazy";
import { FilterChip } from "../../ui/list/FilterChip";
import type { Filters } from "../../ui/list/useList";
import { usePolicy, useProduct } from "../../ui/useProduct";
import { useColumns } from "./columns";
import { type FilterSubjects, filterWords } from "./filterKinds";
import styles from "./licenseList.module.css";
import { BUILT_IN_VIEWS, FILTER_NAMES, isView, useLicenseList } from "./useLicenseList";
import { useSavedViews, useViewChanges } from "./useSavedViews";

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

const ViewDialog = lazy(() => import("./ViewDialog"));

/** Saves the current filters as a view, if they are none yet. */
function SaveView() {
  const { filters, sort } = useLicenseList();
  const views = useSavedViews();
  const { save } = useViewChanges();
  const { shown } = useColumns();
  const [isAsking, setAsking] = useState(false);
  if (views.some((view) => isView(view, filters, sort))) return null;
  const columns = shown.map(({ key }) => key);
  return (
    <>
      <Button size="small" startIcon={<SaveViewIcon />} onClick={() => setAsking(true)}>
        {t`Save view`}
      </Button>
      {isAsking && (
        <Suspense fallback={null}>
          <ViewDialog
            title={t`Save view`}
            name=""
            onSave={(label, isShared) => save({ label, filter: filters, sort, columns, isShared })}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  );
}
