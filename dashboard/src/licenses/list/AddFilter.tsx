import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Suspense, useRef, useState } from "react";
import { FilterIcon } from "../../ui/icons";
import { lazy } from "../../ui/lazy";
import { ActMenu } from "../../ui/menu/ActMenu";
import { FILTER_KINDS, type FilterKind } from "./filterKinds";
import { useLicenseList } from "./useLicenseList";

const FilterPopover = lazy(() => import("./FilterPopover"));

type Step = "kinds" | FilterKind | null;

/** Adds a filter: first what to filter by, then its value. */
export function AddFilter() {
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
