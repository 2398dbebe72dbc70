import { t } from "@lingui/core/macro";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import type { ReactNode } from "react";
import { InstitutionIcon, LinkIcon, SendIcon, UnlinkIcon } from "../../ui/icons";
import { Row } from "../../ui/layout/layout";
import { Table } from "../../ui/table/Table";
import { TwoLines } from "../../ui/table/TwoLines";
import { DataList } from "../../ui/list/DataList";
import { EmptyState } from "../../ui/EmptyState";
import { date, dateTime, relative } from "../../ui/formats";
import { StatusChip } from "../../ui/StatusChip";
import { isExpired, nameOf, type Association } from "./association";

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
  <DataList
    path={`products/${productId}/associations`}
    sort="-createdAt"
    empty={
      <EmptyState
        icon={<InstitutionIcon />}
        title={t`No institution is associated yet`}
        action={invite}
      >
        {t`Invite your customers’ institutions. You can issue licenses to an institution once it has accepted.`}
      </EmptyState>
    }
  >
    <Table<Association>
      label={t`Associations`}
      columns={[
        {
          key: "email",
          label: t`Institution`,
          sort: "email",
          cell: (association) => (
            <TwoLines second={association.institutionName && association.email}>
              {nameOf(association)}
            </TwoLines>
          ),
        },
        { key: "Status", label: t`Status`, cell: statusOf },
        {
          key: "createdAt",
          label: t`Invited`,
          sort: "createdAt",
          from: "sm",
          fits: true,
          cell: (association) => date(association.createdAt),
        },
        { key: "expiresAt", label: t`Term`, from: "sm", cell: termOf },
        manage && {
          key: "Actions",
          label: t`Actions`,
          isUnlabeled: true,
          align: "end",
          cell: (association) => <Actions association={association} {...acts} />,
        },
      ]}
    />
  </DataList>
);

function termOf({ acceptedAt, expiresAt }: Association) {
  if (acceptedAt) return t`since ${{ day: date(acceptedAt) }}`;
  return (
    expiresAt && (
      <span title={dateTime(expiresAt)}>{t`expires ${{ when: relative(expiresAt) }}`}</span>
    )
  );
}

function statusOf(association: Association) {
  if (association.status === "Associated") return <StatusChip status="Associated" />;
  return isExpired(association) ? <StatusChip status="Expired" /> : <StatusChip status="Invited" />;
}

type ActionsProps = Pick<AssociationListProps, "onShow" | "onResend" | "onRemove"> & {
  association: Association;
};

function Actions({ association, onShow, onResend, onRemove }: ActionsProps) {
  const name = nameOf(association);
  const isInvited = association.status === "Invited";
  return (
    <Row place="atEnd">
      {association.inviteUrl && (
        <Action
          label={t`Show link for ${name}`}
          icon={<LinkIcon />}
          onClick={() => onShow(association)}
        />
      )}
      {isInvited && (
        <Action
          label={t`Resend to ${name}`}
          icon={<SendIcon />}
          onClick={() => onResend(association)}
        />
      )}
      <Action
        label={isInvited ? t`Withdraw invitation of ${name}` : t`Remove association with ${name}`}
        icon={<UnlinkIcon />}
        onClick={() => onRemove(association)}
      />
    </Row>
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
