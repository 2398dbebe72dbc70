import Popover from "@mui/material/Popover";
import type { FilterKind } from "./filterKinds";
import { FilterEditor } from "./FilterEditor";
import styles from "./licenseList.module.css";

interface FilterPopoverProps {
  kind: FilterKind;
  anchor: () => Element | null;
  onClose: () => void;
}

/** What the value of a filter is typed or picked in. */
export default function FilterPopover({ kind, anchor, onClose }: FilterPopoverProps) {
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: "bottom", horizontal: "left" }}
      slotProps={{
        paper: {
          role: "dialog",
          "aria-label": kind.editor,
          className: styles.editor,
        },
      }}
    >
      <FilterEditor kind={kind} onDone={onClose} />
    </Popover>
  );
}
