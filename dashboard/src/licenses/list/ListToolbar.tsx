import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { useState } from "react";
import { useNavigate } from "react-router";
import { ColumnsIcon } from "../../ui/icons";
import { floating } from "../../ui/lazy";
import { ExportButton } from "../../ui/list/ExportButton";
import { ActiveFilters } from "../../ui/list/filters/ActiveFilters";
import { AddFilter } from "../../ui/list/filters/AddFilter";
import { SearchFilter } from "../../ui/list/SearchFilter";
import { SavedViews } from "../../ui/list/views/SavedViews";
import { useHasRoom } from "../../ui/useMediaQuery";
import { useColumns } from "./columns";
import { FILTER_KINDS } from "./filterKinds";
import styles from "./licenseList.module.css";
import type { ColumnsMenuProps } from "./OpenColumnsMenu";
import { BUILT_IN_VIEWS } from "./useLicenseList";

interface ListToolbarProps {
  /** The page that imports licenses, for those who may. */
  toImport?: string;
}

/** Views, and below them search, filters, columns and export, in the order of every list. */
export function ListToolbar({ toImport }: ListToolbarProps) {
  const hasTable = useHasRoom();
  const navigate = useNavigate();
  const goImport = toImport && { label: t`Import`, act: () => void navigate(toImport) };
  const { shown, showOnly } = useColumns();
  return (
    <div role="search" aria-label={t`Licenses`} className={styles.toolbar} data-filters>
      <SavedViews builtIn={BUILT_IN_VIEWS} showColumns={showOnly} />
      <div className={styles.tools}>
        <SearchFilter placeholder={t`Name, email or key`} />
        <AddFilter kinds={FILTER_KINDS} />
        {hasTable && <ColumnsMenu />}
        <div className={styles.end}>
          <ExportButton more={goImport ? [goImport] : []} />
        </div>
      </div>
      <ActiveFilters
        kinds={FILTER_KINDS}
        builtIn={BUILT_IN_VIEWS}
        columns={shown.map(({ key }) => key)}
      />
    </div>
  );
}

const OpenColumnsMenu = floating<ColumnsMenuProps>(() => import("./OpenColumnsMenu"));

/** Chooses the columns of the table. */
function ColumnsMenu() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Tooltip title={t`Columns`}>
        <IconButton
          aria-label={t`Columns`}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <ColumnsIcon />
        </IconButton>
      </Tooltip>
      <OpenColumnsMenu open={anchor !== null} anchor={anchor} onClose={() => setAnchor(null)} />
    </>
  );
}
