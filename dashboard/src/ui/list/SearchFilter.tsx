import { t } from "@lingui/core/macro";
import { SearchIcon } from "../icons";
import { focusOnRow, rowsIn } from "../table/rows";
import { useTypedFilter } from "../useTypedFilter";
import styles from "./list.module.css";
import { useListContext } from "./useList";

interface SearchFilterProps {
  /** What is searched: "Search by name". */
  placeholder: string;
  /** Accessible name. */
  label?: string;
}

/** Searches the list once the user stops typing; arrow down goes to the first row. */
export function SearchFilter({ placeholder, label = t`Search` }: SearchFilterProps) {
  const { filters, setFilters } = useListContext();
  const [text, setText] = useTypedFilter(filters["search"] ?? "", (search) =>
    setFilters({ search }),
  );
  return (
    <label className={styles.search}>
      <SearchIcon aria-hidden />
      <input
        type="search"
        aria-label={label}
        data-hotkey="/"
        placeholder={placeholder}
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          focusOnRow(rowsIn(event.currentTarget.closest("[role=dialog]") ?? document)[0]);
        }}
      />
    </label>
  );
}
