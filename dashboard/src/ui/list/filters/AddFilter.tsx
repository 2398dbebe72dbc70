import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Suspense, useRef, useState } from "react";
import { FilterIcon } from "../../icons";
import { lazy } from "../../lazy";
import { ActMenu } from "../../menu/ActMenu";
import { useListContext } from "../useList";
import { type FilterKind, given, isChosen } from "./filter";

const FilterPopover = lazy(() => import("./FilterPopover"));

interface Step {
  at: "kinds" | "choices" | "editor";
  kind?: FilterKind;
}

const startOf = (kind: FilterKind): Step => ({ at: kind.choices ? "choices" : "editor", kind });

/** Adds a filter to the list: first what to filter by, if there is a choice, then its value. */
export function AddFilter({ kinds }: { kinds: readonly FilterKind[] }) {
  const { filters, setFilters } = useListContext();
  const [step, setStep] = useState<Step | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const offered = kinds.filter(({ choices, editor }) => choices ?? editor);
  const [only, ...others] = offered;
  const close = () => setStep(null);
  const anchor = () => button.current;
  const [at, kind] = [step?.at, step?.kind];
  return (
    <>
      <Button
        ref={button}
        variant="outlined"
        startIcon={<FilterIcon />}
        aria-haspopup="menu"
        aria-expanded={step !== null}
        onClick={() => setStep(only && others.length === 0 ? startOf(only) : { at: "kinds" })}
      >
        {t`Add filter`}
      </Button>
      <ActMenu
        place="left"
        open={at === "kinds"}
        anchor={anchor}
        acts={offered.map((one) => ({ label: one.label, act: () => setStep(startOf(one)) }))}
        onClose={close}
      />
      {at === "choices" && kind && (
        <ActMenu
          place="left"
          open
          anchor={anchor}
          label={kind.label}
          acts={[
            ...(kind.choices ?? []).map(([value, label]) => ({
              label,
              isChosen: isChosen(kind, value, filters),
              act: () => setFilters(given(kind, value)),
            })),
            ...(kind.other === undefined
              ? []
              : [{ label: kind.other, act: () => setStep({ at: "editor", kind }) }]),
          ]}
          onClose={close}
        />
      )}
      {at === "editor" && kind && (
        <Suspense fallback={null}>
          <FilterPopover kind={kind} anchor={anchor} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
