import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import type { ReactNode } from "react";
import { DeleteIcon, EditIcon } from "./icons";
import { Row } from "./layout/layout";
import type { OfferedAct } from "./useActions";

interface RowActionsProps {
  /** Name of the row's item, for the accessible names of the buttons. */
  name: string;
  onEdit: () => void;
  onDelete: () => void;
}

interface RowActProps {
  label: string;
  icon: ReactNode;
  onClick: () => void;
}

/** A small button of a table row, named by its tooltip. */
export const RowAct = ({ label, icon, onClick }: RowActProps) => (
  <Tooltip title={label}>
    <IconButton size="small" aria-label={label} onClick={onClick}>
      {icon}
    </IconButton>
  </Tooltip>
);

/** The buttons of what can be done with a row. */
export const RowActs = ({ acts }: { acts: readonly OfferedAct[] }) => (
  <Row place="atEnd">
    {acts.map(({ label, icon, act }) => (
      <RowAct key={label} label={label} icon={icon} onClick={act} />
    ))}
  </Row>
);

/** Edit and delete buttons of a table row. */
export const RowActions = ({ name, onEdit, onDelete }: RowActionsProps) => (
  <Row place="atEnd">
    <Tooltip title={t`Edit`}>
      <IconButton size="small" aria-label={t`Edit ${name}`} onClick={onEdit}>
        <EditIcon />
      </IconButton>
    </Tooltip>
    <Tooltip title={t`Delete`}>
      <IconButton size="small" aria-label={t`Delete ${name}`} onClick={onDelete}>
        <DeleteIcon />
      </IconButton>
    </Tooltip>
  </Row>
);
