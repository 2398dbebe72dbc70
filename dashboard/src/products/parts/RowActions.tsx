import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import EditIcon from "@mui/icons-material/EditOutlined";
import IconButton from "@mui/material/IconButton";
import Stack from "@mui/material/Stack";
import Tooltip from "@mui/material/Tooltip";

interface RowActionsProps {
  /** Of the row, so that each button has a name of its own. */
  name: string;
  onEdit: () => void;
  onDelete: () => void;
}

/** Edit and delete, at the end of a row. */
export const RowActions = ({ name, onEdit, onDelete }: RowActionsProps) => (
  <Stack direction="row" sx={{ justifyContent: "flex-end" }}>
    <Tooltip title="Edit">
      <IconButton size="small" aria-label={`Edit ${name}`} onClick={onEdit}>
        <EditIcon fontSize="small" />
      </IconButton>
    </Tooltip>
    <Tooltip title="Delete">
      <IconButton size="small" aria-label={`Delete ${name}`} onClick={onDelete}>
        <DeleteIcon fontSize="small" />
      </IconButton>
    </Tooltip>
  </Stack>
);
