import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import type { ActMenuProps } from "./ActMenu";
import styles from "./menu.module.css";

export default function OpenActMenu(props: ActMenuProps) {
  const { open, anchor, label, acts, side = "left", className, onClose } = props;
  return (
    <Menu
      open={open}
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: "bottom", horizontal: side }}
      transformOrigin={{ vertical: "top", horizontal: side }}
      {...(label && { slotProps: { list: { "aria-label": label } } })}
    >
      {acts.map(({ label: name, act, isChosen = false, isGrave }) => (
        <MenuItem
          key={name}
          selected={isChosen}
          className={[className, isGrave && styles.grave].filter(Boolean).join(" ")}
          onClick={() => {
            onClose();
            act();
          }}
        >
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}
