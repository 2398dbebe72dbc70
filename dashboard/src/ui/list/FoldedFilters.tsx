import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { type ReactNode, useId, useState } from "react";
import { number } from "../formats";
import { FilterIcon } from "../icons";
import { useIsPhone } from "../useMediaQuery";
import styles from "./list.module.css";

interface FoldedFiltersProps {
  /** How many are set. */
  set: number;
  children: ReactNode;
}

/** Filters beside the search. On phones a button shows them, and says how many are set. */
export function FoldedFilters({ set, children }: FoldedFiltersProps) {
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (!isPhone) return children;
  return (
    <>
      <Button
        variant="outlined"
        className={styles.unfold}
        startIcon={<FilterIcon />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {set === 0 ? t`Filter` : t`Filter (${{ count: number(set) }})`}
      </Button>
      <div id={id} hidden={!isOpen} className={styles.folded}>
        {children}
      </div>
    </>
  );
}
