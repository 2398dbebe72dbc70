import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { type ReactNode, useId, useState } from "react";
import { number } from "../formats";
import { FilterIcon } from "../icons";
import { useMediaQuery } from "../useMediaQuery";
import styles from "./list.module.css";
import { useListContext } from "./useList";

/** Filters beside the search. On phones a button shows them, and says how many are set. */
export function FoldedFilters({ children }: { children: ReactNode }) {
  const isPhone = useMediaQuery("(max-width: 599px)");
  const { filters } = useListContext();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (!isPhone) return children;
  const set = Object.keys(filters).filter((name) => name !== "search").length;
  return (
    <>
      <Button
        variant="outlined"
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
