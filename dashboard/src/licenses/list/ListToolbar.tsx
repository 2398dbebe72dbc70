import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { Suspense, useRef, useState } from "react";
import { download } from "../../api/client";
import { asProblem } from "../../api/problem";
import { number } from "../../ui/formats";
import { ColumnsIcon, DownloadIcon, FilterIcon } from "../../ui/icons";
import { floating, lazy } from "../../ui/lazy";
import { SearchFilter } from "../../ui/list/SearchFilter";
import { ActMenu } from "../../ui/menu/ActMenu";
import { notify } from "../../ui/toasts/toasts";
import { useHasRoom } from "../../ui/useMediaQuery";
import { ActiveFilters } from "./ActiveFilters";
import { FILTER_KINDS, type FilterKind } from "./filterKinds";
import styles from "./licenseList.module.css";
import { ListViews } from "./ListViews";
import type { ColumnsMenuProps } from "./OpenColumnsMenu";
import { asked, useLicenseList } from "./useLicenseList";

/** Views, search, filters and columns: one row where there is room. */
export function ListToolbar() {
  const hasTable = useHasRoom();
  return (
    <div role="search" aria-label={t`Licenses`} className={styles.toolbar}>
      <ListViews />
      <div className={styles.tools}>
        <SearchFilter placeholder={t`Name, email or key`} />
        <AddFilter />
        {hasTable && <ColumnsMenu />}
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

/** Exports all licenses that match the filters, not only those shown, as CSV. */
export function ListExport({ institutionId }: { institutionId: string | null }) {
  const { filters, total = 0, items = [] } = useLicenseList();
  const [busy, setBusy] = useState(false);
  if (total === 0) return null;
  const save = async () => {
    setBusy(true);
    const given = Object.entries({ ...asked(filters), ...(institutionId && { institutionId }) });
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    try {
      await download(`/api/licenses?${query.toString()}`, "text/csv");
      const shown = number(items.length);
      const all = total > items.length;
      notify(
        all
          ? plural(total, {
              other: `Exported all # matching licenses, not only the ${shown} shown.`,
            })
          : t`Exported to licenses.csv.`,
      );
    } catch (error) {
      notify(asProblem(error).message, { type: "error" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="outlined"
      startIcon={<DownloadIcon />}
      loading={busy}
      loadingPosition="start"
      onClick={() => void save()}
    >
      {t`Export CSV`}
    </Button>
  );
}
