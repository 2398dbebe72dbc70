import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import Popover from "@mui/material/Popover";
import { useRef, useState } from "react";
import { FilterIcon } from "../../ui/icons";
import { FILTER_KINDS, type FilterKind } from "./filterKinds";
import { FilterEditor } from "./FilterEditor";
import styles from "./licenseList.module.css";
import { useLicenseList } from "./useLicenseList";

type Step = "kinds" | FilterKind | null;

/** Adds a filter: first what to filter by, then its value. */
export function AddFilter() {
  const { filters, setFilters } = useLicenseList();
  const [step, setStep] = useState<Step>(null);
  const button = useRef<HTMLButtonElement>(null);
  const kind = step === "kinds" ? null : step;
  const close = () => {
    setStep(null);
  };
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
        onClick={() => {
          setStep("kinds");
        }}
      >
        {t`Add filter`}
      </Button>
      <Menu open={step === "kinds"} anchorEl={() => button.current} onClose={close}>
        {FILTER_KINDS.map((one) => (
          <MenuItem
            key={one.name}
            onClick={() => {
              setStep(one);
            }}
          >
            {one.label}
          </MenuItem>
        ))}
      </Menu>
      {kind?.choices ? (
        <Menu
          open
          anchorEl={() => button.current}
          onClose={close}
          slotProps={{ list: { "aria-label": kind.label } }}
        >
          {kind.choices.map(([value, label]) => (
            <MenuItem
              key={value}
              selected={filters[kind.name] === value}
              onClick={() => {
                choose(value);
              }}
            >
              {label}
            </MenuItem>
          ))}
        </Menu>
      ) : (
        kind && (
          <Popover
            open
            anchorEl={() => button.current}
            onClose={close}
            anchorOrigin={{ vertical: "bottom", horizontal: "left" }}
            slotProps={{
              paper: {
                role: "dialog",
                "aria-label": kind.editor,
                className: styles.editor,
              },
            }}
          >
            <FilterEditor kind={kind} onDone={close} />
          </Popover>
        )
      )}
    </>
  );
}
