import { t, plural } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import Chip from "@mui/material/Chip";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { api, at } from "../api/client";
import type { ApiKey } from "../api/types";
import { AddButton } from "../ui/AddButton";
import { EmptyState } from "../ui/EmptyState";
import { date, dateTime, relative } from "../ui/formats";
import { KeyIcon } from "../ui/icons";
import { Column, Row } from "../ui/layout/layout";
import { DataList } from "../ui/list/DataList";
import { RichText } from "../ui/RichText";
import { SecretDialog } from "../ui/SecretDialog";
import { TabHeading } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import { actionsColumn } from "../ui/table/cells";
import { RowMenu } from "../ui/table/RowMenu";
import { Table } from "../ui/table/Table";
import { useActions } from "../ui/useActions";
import { useCan } from "../ui/useInstitution";
import { type IssuedKey, keyStatus } from "./key";
import styles from "./keys.module.css";
import { NewKeyDialog } from "./NewKeyDialog";
import { scopeWords } from "./scopes";

/** The API keys of an institution. */
export function ApiKeysTab({ institutionId }: { institutionId: string }) {
  const { manage } = useCan(institutionId);
  const [isNew, setNew] = useState(false);
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  if (!manage)
    return (
      <Card>
        <EmptyState icon={<KeyIcon />} title={t`Only Owners and Admins can manage API keys`}>
          {t`Ask one of them for a key and tell them what your program needs to do.`}
        </EmptyState>
      </Card>
    );
  return (
    <>
      <TabHeading
        title={t`API keys`}
        help="api-keys"
        action={<AddButton onClick={() => setNew(true)}>{t`New API key`}</AddButton>}
      >
        {t`For programs that use the API on your behalf. A key can do what its scopes allow, and no more than the person who created or last rotated it.`}
      </TabHeading>
      <KeyList institutionId={institutionId} onRotated={setIssued} />
      {isNew && (
        <NewKeyDialog
          institutionId={institutionId}
          onMade={setIssued}
          onClose={() => setNew(false)}
        />
      )}
      {issued && (
        <SecretDialog
          title={t`Secret for ${{ name: issued.name }}`}
          label={t`API key`}
          secret={issued.secret}
          fileName="api-key.txt"
          onClose={() => setIssued(null)}
        />
      )}
    </>
  );
}

const SHOWN = 3;

const Name = ({ apiKey }: { apiKey: ApiKey }) => (
  <Column className={styles.key}>
    <Typography variant="subtitle2" component="p" dir="auto">
      {apiKey.name}
    </Typography>
    {apiKey.description && (
      <div className={styles.description}>
        <RichText>{apiKey.description}</RichText>
      </div>
    )}
  </Column>
);

const Moment = ({ at, none }: { at: string | null; none: string }) =>
  at ? <span title={dateTime(at)}>{relative(at)}</span> : none;

interface KeyListProps {
  institutionId: string;
  onRotated: (key: IssuedKey) => void;
}

/** The API keys of an institution, including revoked ones. */
function KeyList({ institutionId, onRotated }: KeyListProps) {
  const actions = useKeyActions(onRotated);
  return (
    <>
      <DataList
        path="api-keys"
        fixed={{ institutionId }}
        sort="-createdAt"
        hasCsv
        empty={
          <EmptyState icon={<KeyIcon />} title={t`No API keys yet`}>
            {t`API keys let your own programs use the API: a shop that issues licenses, or a script that uploads releases. Applications on the devices of customers use a product key instead.`}
          </EmptyState>
        }
      >
        <Table<ApiKey>
          label={t`API keys`}
          columns={[
            { key: "name", label: t`Name`, sort: true, cell: (apiKey) => <Name apiKey={apiKey} /> },
            {
              key: "status",
              label: t`Status`,
              short: "beside",
              cell: (apiKey) => <StatusChip status={keyStatus(apiKey)} />,
            },
            {
              key: "scopes",
              label: t`Scopes`,
              cell: (apiKey) => (
                <Row gap="xs" align="stretch" wraps>
                  {scopeWords(apiKey.scopes).map((words) => (
                    <Chip key={words} size="small" label={words} />
                  ))}
                </Row>
              ),
            },
            {
              key: "expirationDate",
              label: t`Expires`,
              cell: (apiKey) => <Moment at={apiKey.expirationDate} none={t`Never`} />,
            },
            {
              key: "lastUsedAt",
              label: t`Last used`,
              cell: (apiKey) => <Moment at={apiKey.lastUsedAt} none={t`Never`} />,
            },
            {
              key: "ipAllowList",
              label: t`Allowed addresses`,
              from: "lg",
              cell: (apiKey) => (
                <Column className={styles.ranges}>
                  {apiKey.ipAllowList.slice(0, SHOWN).map((range) => (
                    <span key={range}>{range}</span>
                  ))}
                  {apiKey.ipAllowList.length > SHOWN && (
                    <span>
                      {plural(
                        { count: apiKey.ipAllowList.length - SHOWN },
                        {
                          one: "and # more",
                          other: "and # more",
                        },
                      )}
                    </span>
                  )}
                  {apiKey.ipAllowList.length === 0 && t`Any`}
                </Column>
              ),
            },
            {
              key: "createdAt",
              label: t`Created`,
              sort: true,
              from: "lg",
              cell: (apiKey) => (
                <Column>
                  <span>{date(apiKey.createdAt)}</span>
                  {apiKey.revokedAt && (
                    <Typography variant="caption" color="textSecondary">
                      {t`Revoked ${{ day: date(apiKey.revokedAt) }}`}
                    </Typography>
                  )}
                </Column>
              ),
            },
            actionsColumn((apiKey) => <RowMenu name={apiKey.name} acts={actions.of(apiKey)} />),
          ]}
        />
      </DataList>
      {actions.dialog}
    </>
  );
}

/** Rotate or revoke an API key. */
const useKeyActions = (onRotated: (key: IssuedKey) => void) =>
  useActions((apiKey: ApiKey) => {
    const { name } = apiKey;
    const status = keyStatus(apiKey);
    const place = at({ keyId: apiKey.id });
    return [
      {
        label: t`Rotate secret`,
        isOffered: status === "Active",
        confirm: {
          title: t`Rotate secret`,
          consequence: t`${name} keeps its scopes and expiration date, and from now on acts for you: it can do no more than you can. The current secret stops working immediately: programs that use it are rejected until they have the new one.`,
          onConfirm: async () => {
            const { data } = await api.POST("/api/api-keys/{keyId}/rotate", place);
            if (data) onRotated(data);
          },
          done: t`Secret rotated for ${name}.`,
        },
      },
      {
        label: t`Revoke`,
        isGrave: true,
        isOffered: status !== "Revoked",
        confirm: {
          title: t`Revoke API key`,
          danger: true,
          typed: name,
          consequence: t`Programs that use ${name} are rejected from the next request on. This cannot be undone; the audit log keeps a record of what the key did.`,
          onConfirm: () => api.DELETE("/api/api-keys/{keyId}", place),
          done: t`API key ${name} revoked.`,
        },
      },
    ];
  });
