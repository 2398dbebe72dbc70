import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { RowMenuIcon } from "../../../ui/icons";
import type { License } from "../../../api/types";
import { nameOf, type Device } from "./device";
import { availableActions, tell, type DeviceAction } from "./deviceActions";
import { DeviceDialog } from "./DeviceDialog";

/** Menu of actions on a device. */
export function DeviceMenu({ device, license }: { device: Device; license: License }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState<DeviceAction | null>(null);
  const close = () => {
    setAnchor(null);
  };
  return (
    <>
      <IconButton
        size="small"
        aria-label={t`Actions for ${{ name: nameOf(device) }}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => {
          setAnchor(event.currentTarget);
        }}
      >
        <RowMenuIcon />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={close}>
        {availableActions(device).map((action) => (
          <MenuItem
            key={action}
            onClick={() => {
              close();
              setOpen(action);
            }}
          >
            {tell(action, device, license).label}
          </MenuItem>
        ))}
      </Menu>
      {open && (
        <DeviceDialog
          action={open}
          device={device}
          license={license}
          onClose={() => {
            setOpen(null);
          }}
        />
      )}
    </>
  );
}
