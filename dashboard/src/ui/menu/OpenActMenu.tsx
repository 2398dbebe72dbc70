import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import type { ActMenuProps } from "./ActMenu";
import styles from "./menu.module.css";

export default function OpenActMenu(props: ActMenuProps) {
  const { open, anchor, label, acts, className, place = "right", onClose } = props;
  return (
    <Menu
      open={open}
      anchorEl={anchor}
      onClose={onClose}
      // They end where their button does, which stands at the right edge of what it belongs to.
      anchorOrigin={{ vertical: "bottom", horizontal: place }}
      transformOrigin={{ vertical: "top", horizontal: place }}
      {...(label && { slotProps: { list: { "aria-label": label } } })}
    >
      {acts.map(({ label: name, act, isChosen = false, isGrave, isBlocked = false }, place) => (
        <MenuItem
          // Two may have one name, such as views that users have saved.
          key={`${String(place)} ${name}`}
          selected={isChosen}
          disabled={isBlocked}
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
