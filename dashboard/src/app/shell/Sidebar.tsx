import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { Brand } from "../../ui/Brand";
import { CollapseIcon } from "../../ui/icons";
import { useMediaQuery } from "../../ui/useMediaQuery";
import { useStored } from "../../ui/useStored";
import { Navigation } from "./Navigation";
import styles from "./shell.module.css";

/** The navigation beside the page: icons alone on tablets, and where the user wants it so. */
export function Sidebar() {
  const hasRoom = useMediaQuery("(min-width: 1200px)");
  const [isClosed, close] = useStored("sidebarClosed", false);
  const isNarrow = isClosed || !hasRoom;
  const label = isNarrow ? t`Open sidebar` : t`Close sidebar`;
  return (
    <div className={styles.sidebar} data-narrow={isNarrow || undefined}>
      <div className={styles.brand}>
        <Brand isNarrow={isNarrow} />
      </div>
      <Navigation isNarrow={isNarrow} />
      {hasRoom && (
        <Tooltip title={label} placement="right">
          <IconButton
            aria-label={label}
            aria-expanded={!isNarrow}
            className={styles.collapse}
            onClick={() => close(!isClosed)}
          >
            <CollapseIcon />
          </IconButton>
        </Tooltip>
      )}
    </div>
  );
}
