import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { statusWords } from "../status";
import styles from "./list.module.css";
import { useListContext } from "./useList";

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
      onChange={(event) => setFilters({ [name]: event.target.value })}
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
