import { t } from "@lingui/core/macro";
import { SearchFilter } from "../../ui/list/SearchFilter";
import { useHasRoom } from "../../ui/useMediaQuery";
import { ActiveFilters } from "./ActiveFilters";
import { AddFilter } from "./AddFilter";
import { ColumnsMenu } from "./ColumnsMenu";
import { ListViews } from "./ListViews";
import styles from "./licenseList.module.css";

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
