import ListItemIcon from "@mui/material/ListItemIcon";
import ListItemText from "@mui/material/ListItemText";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { CheckIcon } from "../../ui/icons";
import { ROLE_LABELS } from "../../ui/labels";
import { useInstitution } from "../../ui/useInstitution";

export interface InstitutionMenuProps {
  open: boolean;
  anchor: Element | null;
  onChoose: (id: string) => void;
  onClose: () => void;
}

/** The institutions of the user, with what they are there. */
export default function InstitutionMenu({ open, anchor, onChoose, onClose }: InstitutionMenuProps) {
  const { memberships, institutionId } = useInstitution();
  return (
    <Menu anchorEl={anchor} open={open} onClose={onClose}>
      {memberships.map((item) => (
        <MenuItem
          key={item.institutionId}
          selected={item.institutionId === institutionId}
          onClick={() => onChoose(item.institutionId)}
        >
          <ListItemIcon>{item.institutionId === institutionId && <CheckIcon />}</ListItemIcon>
          <ListItemText primary={item.institutionName} secondary={ROLE_LABELS[item.role]} />
        </MenuItem>
      ))}
    </Menu>
  );
}
