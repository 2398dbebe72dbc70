import ApartmentIcon from "@mui/icons-material/ApartmentOutlined";
import LinkIcon from "@mui/icons-material/LinkOutlined";
import RemoveIcon from "@mui/icons-material/LinkOffOutlined";
import ResendIcon from "@mui/icons-material/ForwardToInboxOutlined";
import IconButton from "@mui/material/IconButton";
import Stack from "@mui/material/Stack";
import Tooltip from "@mui/material/Tooltip";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { DataTable } from "react-admin";
import { DataList } from "../../ui/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { date, dateTime, relative } from "../../ui/formats";
import { StatusChip } from "../../ui/StatusChip";
import { isExpired, nameOf, type Association } from "./association";

const WIDE = { display: { xs: "none", sm: "table-cell" } };
const Column = DataTable.Col<Association>;

type Act = (association: Association) => void;

interface AssociationListProps {
  productId: string;
  manage: boolean;
  /** Button that invites, for the empty list. */
  invite: ReactNode;
  onShow: Act;
  onResend: Act;
  onRemove: Act;
}

/** A table of associated and invited institutions. */
export const AssociationList = ({ productId, manage, invite, ...acts }: AssociationListProps) => (
  <DataList<Association>
    resource={`products/${productId}/associations`}
    storeKey={false}
    sort={{ field: "createdAt", order: "DESC" }}
    empty={
      <EmptyState
        icon={<ApartmentIcon color="disabled" fontSize="large" />}
        title="No institution is associated yet"
        action={invite}
      >
        Invite your customers’ institutions. You can issue licenses to an institution once it has
        accepted.
      </EmptyState>
    }
  >
    <DataTable<Association> bulkActionButtons={false} rowClick={false}>
      <Column
        source="email"
        label="Institution"
        sx={{ minWidth: 130, overflowWrap: "anywhere" }}
        render={(association) => (
          <>
            <Typography variant="body2" sx={{ fontWeight: 600 }}>
              {nameOf(association)}
            </Typography>
            {association.institutionName && association.email && (
              <Typography variant="body2" color="textSecondary">
                {association.email}
              </Typography>
            )}
          </>
        )}
      />
      <Column label="Status" disableSort render={statusOf} />
      <Column
        source="createdAt"
        label="Invited"
        sx={{ ...WIDE, whiteSpace: "nowrap" }}
        render={(association) => date(association.createdAt)}
      />
      <Column source="expiresAt" label="Term" sx={WIDE} disableSort render={termOf} />
      {manage && (
        <Column
          label="Actions"
          disableSort
          align="right"
          render={(association) => <Actions association={association} {...acts} />}
        />
      )}
    </DataTable>
  </DataList>
);

function termOf({ acceptedAt, expiresAt }: Association) {
  if (acceptedAt) return `since ${date(acceptedAt)}`;
  return expiresAt && <span title={dateTime(expiresAt)}>expires {relative(expiresAt)}</span>;
}

function statusOf(association: Association) {
  if (association.status === "Associated") return <StatusChip status="Associated" tone="success" />;
  return isExpired(association) ? (
    <StatusChip status="Expired" />
  ) : (
    <StatusChip status="Invited" tone="warning" />
  );
}

type ActionsProps = Pick<AssociationListProps, "onShow" | "onResend" | "onRemove"> & {
  association: Association;
};

function Actions({ association, onShow, onResend, onRemove }: ActionsProps) {
  const name = nameOf(association);
  const isInvited = association.status === "Invited";
  return (
    <Stack direction="row" sx={{ justifyContent: "flex-end" }}>
      {association.inviteUrl && (
        <Action
          label={`Show link for ${name}`}
          icon={<LinkIcon fontSize="small" />}
          onClick={() => {
            onShow(association);
          }}
        />
      )}
      {isInvited && (
        <Action
          label={`Resend to ${name}`}
          icon={<ResendIcon fontSize="small" />}
          onClick={() => {
            onResend(association);
          }}
        />
      )}
      <Action
        label={isInvited ? `Withdraw invitation of ${name}` : `Remove association with ${name}`}
        icon={<RemoveIcon fontSize="small" />}
        onClick={() => {
          onRemove(association);
        }}
      />
    </Stack>
  );
}

interface ActionProps {
  label: string;
  icon: ReactNode;
  onClick: () => void;
}

const Action = ({ label, icon, onClick }: ActionProps) => (
  <Tooltip title={label}>
    <IconButton size="small" aria-label={label} onClick={onClick}>
      {icon}
    </IconButton>
  </Tooltip>
);
