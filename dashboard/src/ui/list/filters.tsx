import { t } from "@lingui/core/macro";
import InputAdornment from "@mui/material/InputAdornment";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { SearchIcon } from "../icons";
import { statusWords } from "../status";
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
  const [text, setText] = useTypedFilter(filters["search"] ?? "", (search) => {
    setFilters({ search });
  });
  return (
    <TextField
      className={styles.search}
      placeholder={placeholder}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
      }}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        focusOnRow(rowsIn(document)[0]);
      }}
      slotProps={{
        htmlInput: { type: "search", maxLength: 200, "aria-label": label, "data-hotkey": "/" },
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <SearchIcon />
            </InputAdornment>
          ),
        },
      }}
    />
  );
}

interface ChoiceFilterProps {
  name: string;
  /** Accessible name: "Role". */
  label: string;
  /** Shown while nothing is chosen: "All roles". */
  all: string;
  choices: readonly string[];
  /** What a choice is called, if not what a status of that name is. */
  wordsOf?: (choice: string) => string;
}

/** Narrows the list to one of a few values. */
export function ChoiceFilter(props: ChoiceFilterProps) {
  const { name, label, all, choices, wordsOf = statusWords } = props;
  const { filters, setFilters } = useListContext();
  return (
    <TextField
      select
      className={styles.choice}
      value={filters[name] ?? ""}
      onChange={(event) => {
        setFilters({ [name]: event.target.value });
      }}
      slotProps={{
        select: { displayEmpty: true, inputProps: { "aria-label": label } },
      }}
    >
      <MenuItem value="">{all}</MenuItem>
      {choices.map((choice) => (
        <MenuItem key={choice} value={choice}>
          {wordsOf(choice)}
        </MenuItem>
      ))}
    </TextField>
  );
}
