import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { CheckIcon } from "../../ui/icons";
import { COLUMNS, useColumns } from "./columns";
import styles from "./licenseList.module.css";

export interface ColumnsMenuProps {
  open: boolean;
  anchor: Element | null;
  onClose: () => void;
}

export default function OpenColumnsMenu({ open, anchor, onClose }: ColumnsMenuProps) {
  const { isShown, toggle } = useColumns();
  return (
    <Menu anchorEl={anchor} open={open} onClose={onClose}>
      {COLUMNS.slice(1).map(({ key, label }) => (
        <MenuItem
          key={key}
          role="menuitemcheckbox"
          aria-checked={isShown(key)}
          onClick={() => toggle(key)}
        >
          <span className={styles.tick}>{isShown(key) && <CheckIcon />}</span>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}
