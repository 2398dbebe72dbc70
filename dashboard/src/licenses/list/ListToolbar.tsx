import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { Suspense, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { ColumnsIcon, FilterIcon } from "../../ui/icons";
import { floating, lazy } from "../../ui/lazy";
import { ExportButton } from "../../ui/list/ExportButton";
import { SearchFilter } from "../../ui/list/SearchFilter";
import { SavedViews, SaveView } from "../../ui/list/views/SavedViews";
import { ActMenu } from "../../ui/menu/ActMenu";
import { useHasRoom } from "../../ui/useMediaQuery";
import { useColumns } from "./columns";
import { FILTER_KINDS, type FilterKind, type FilterSubjects, filterWords } from "./filterKinds";
import styles from "./licenseList.module.css";
import type { ColumnsMenuProps } from "./OpenColumnsMenu";
import { BUILT_IN_VIEWS, useLicenseList, FILTER_NAMES } from "./useLicenseList";
import { $api, at } from "../../api/client";
import { FilterChip } from "../../ui/list/FilterChip";
import type { Filters } from "../../ui/list/useList";
import { isView } from "../../ui/list/views/view";
import { usePolicy, useProduct } from "../../ui/useProduct";

interface ListToolbarProps {
  /** The page that imports licenses, for those who may. */
  toImport?: string;
}

/** Views, and below them search, filters, columns and export, in the order of every list. */
export function ListToolbar({ toImport }: ListToolbarProps) {
  const hasTable = useHasRoom();
  const navigate = useNavigate();
  const goImport = toImport && { label: t`Import`, act: () => void navigate(toImport) };
  const { showOnly } = useColumns();
  return (
    <div role="search" aria-label={t`Licenses`} className={styles.toolbar} data-filters>
      <SavedViews builtIn={BUILT_IN_VIEWS} showColumns={showOnly} />
      <div className={styles.tools}>
        <SearchFilter placeholder={t`Name, email or key`} />
        <AddFilter />
        {hasTable && <ColumnsMenu />}
        <div className={styles.end}>
          <ExportButton more={goImport ? [goImport] : []} />
        </div>
      </div>
      <ActiveFilters />
    </div>
  );
}

const FilterPopover = lazy(() => import("./FilterPopover"));

type Step = "kinds" | FilterKind | null;

/** Adds a filter: first what to filter by, then its value. */
function AddFilter() {
  const { filters, setFilters } = useLicenseList();
  const [step, setStep] = useState<Step>(null);
  const button = useRef<HTMLButtonElement>(null);
  const kind = step === "kinds" ? null : step;
  const close = () => setStep(null);
  const choose = (value: string) => {
    if (kind) setFilters({ [kind.name]: value });
    close();
  };
  return (
    <>
      <Button
        ref={button}
        variant="outlined"
        startIcon={<FilterIcon />}
        aria-haspopup="menu"
        aria-expanded={step !== null}
        onClick={() => setStep("kinds")}
      >
        {t`Add filter`}
      </Button>
      <ActMenu
        place="left"
        open={step === "kinds"}
        anchor={() => button.current}
        acts={FILTER_KINDS.map((one) => ({
          label: one.label,
          act: () => setStep(one),
        }))}
        onClose={close}
      />
      {kind?.choices && (
        <ActMenu
          place="left"
          open
          anchor={() => button.current}
          label={kind.label}
          acts={kind.choices.map(([value, label]) => ({
            label,
            isChosen: filters[kind.name] === value,
            act: () => choose(value),
          }))}
          onClose={close}
        />
      )}
      {kind && !kind.choices && (
        <Suspense fallback={null}>
          <FilterPopover kind={kind} anchor={() => button.current} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

const OpenColumnsMenu = floating<ColumnsMenuProps>(() => import("./OpenColumnsMenu"));

/** Chooses the columns of the table. */
function ColumnsMenu() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Tooltip title={t`Columns`}>
        <IconButton
          aria-label={t`Columns`}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <ColumnsIcon />
        </IconButton>
      </Tooltip>
      <OpenColumnsMenu open={anchor !== null} anchor={anchor} onClose={() => setAnchor(null)} />
    </>
  );
}

/** The active filters as removable chips; a built-in view says what it filters by its name. */
function ActiveFilters() {
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
