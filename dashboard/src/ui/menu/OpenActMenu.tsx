import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import type { ActMenuProps } from "./ActMenu";

export default function OpenActMenu({ open, anchor, label, acts, onClose }: ActMenuProps) {
  return (
    <Menu
      open={open}
      anchorEl={anchor}
      onClose={onClose}
      {...(label && { slotProps: { list: { "aria-label": label } } })}
    >
      {acts.map(({ label: name, act, isChosen = false }) => (
        <MenuItem
          key={name}
          selected={isChosen}
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
