import { t } from "@lingui/core/macro";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { statusWords } from "../status";
import styles from "./list.module.css";
import { useListContext } from "./useList";

/** Narrows the list to one of a few statuses, all of which are in sight. */
export function StatusToggle({ statuses }: { statuses: readonly string[] }) {
  const { filters, setFilters } = useListContext();
  return (
    <ToggleButtonGroup
      exclusive
      className={styles.toggle}
      aria-label={t`Filter by status`}
      value={filters["status"] ?? "All"}
      onChange={(_, chosen: string | null) => {
        if (chosen) setFilters({ status: chosen === "All" ? null : chosen });
      }}
    >
      <ToggleButton value="All">{t`All`}</ToggleButton>
      {statuses.map((item) => (
        <ToggleButton key={item} value={item}>
          {statusWords(item)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
