import KeyIcon from "@mui/icons-material/KeyOutlined";
import Box from "@mui/material/Box";
import Chip from "@mui/material/Chip";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { DataTable } from "react-admin";
import type { ApiKey } from "../api/types";
import { DataList } from "../ui/DataList";
import { EmptyState } from "../ui/EmptyState";
import { date, dateTime, number, relative } from "../ui/formats";
import { RichText } from "../ui/RichText";
import { StatusChip } from "../ui/StatusChip";
import type { IssuedKey } from "./key";
import { KeyActions } from "./KeyActions";
import { keyStatus } from "./keyStatus";
import { scopeWords } from "./scopes";

const WIDE = { display: { xs: "none", md: "table-cell" } };
const NARROW = { display: { xs: "block", md: "none" } };
const SHOWN = 3;
const WIDER = { display: { xs: "none", lg: "table-cell" } };
const Column = DataTable.Col<ApiKey>;

const Name = ({ apiKey }: { apiKey: ApiKey }) => (
  <Stack sx={{ minWidth: 0, overflowWrap: "anywhere" }}>
    <Typography variant="body2" dir="auto" sx={{ fontWeight: 600 }}>
      {apiKey.name}
    </Typography>
    {apiKey.description && (
      <Box
        sx={{ typography: "caption", color: "text.secondary", maxHeight: 120, overflow: "auto" }}
      >
        <RichText>{apiKey.description}</RichText>
      </Box>
    )}
    <Typography variant="caption" color="textSecondary" component="div" sx={NARROW}>
      {scopeWords(apiKey.scopes).join(", ")}
      {apiKey.expirationDate && `. Expires ${relative(apiKey.expirationDate)}.`}
    </Typography>
  </Stack>
);

const Moment = ({ at, none }: { at: string | null; none: string }) =>
  at ? <span title={dateTime(at)}>{relative(at)}</span> : none;

interface KeyListProps {
  institutionId: string;
  add: ReactNode;
  onRotated: (key: IssuedKey) => void;
}

/** The API keys of an institution, including revoked ones. */
export const KeyList = ({ institutionId, add, onRotated }: KeyListProps) => (
  <DataList<ApiKey>
    resource="api-keys"
    storeKey={`api-keys.${institutionId}`}
    filter={{ institutionId }}
    sort={{ field: "createdAt", order: "DESC" }}
    empty={
      <EmptyState
        icon={<KeyIcon color="disabled" fontSize="large" />}
        title="No API keys yet"
        action={add}
      >
        API keys let your own programs use the API: a shop that issues licenses, or a script that
        uploads releases. Applications on customer machines use a product key instead.
      </EmptyState>
    }
  >
    <DataTable<ApiKey> bulkActionButtons={false} rowClick={false}>
      <Column
        source="name"
        label="Name"
        sx={{ minWidth: 120 }}
        render={(apiKey) => <Name apiKey={apiKey} />}
      />
      <Column
        source="status"
        label="Status"
        disableSort
        render={(apiKey) => <StatusChip status={keyStatus(apiKey)} />}
      />
      <Column
        source="scopes"
        label="Scopes"
        disableSort
        sx={WIDE}
        render={(apiKey) => (
          <Stack direction="row" sx={{ gap: 0.5, flexWrap: "wrap" }}>
            {scopeWords(apiKey.scopes).map((words) => (
              <Chip key={words} size="small" label={words} />
            ))}
          </Stack>
        )}
      />
      <Column
        source="expirationDate"
        label="Expires"
        disableSort
        sx={WIDE}
        render={(apiKey) => <Moment at={apiKey.expirationDate} none="Never" />}
      />
      <Column
        source="lastUsedAt"
        label="Last used"
        disableSort
        sx={WIDE}
        render={(apiKey) => <Moment at={apiKey.lastUsedAt} none="Never" />}
      />
      <Column
        source="ipAllowList"
        label="Allowed addresses"
        disableSort
        sx={WIDER}
        render={(apiKey) => (
          <Stack sx={{ whiteSpace: "nowrap" }}>
            {apiKey.ipAllowList.slice(0, SHOWN).map((range) => (
              <span key={range}>{range}</span>
            ))}
            {apiKey.ipAllowList.length > SHOWN && (
              <span>and {number(apiKey.ipAllowList.length - SHOWN)} more</span>
            )}
            {apiKey.ipAllowList.length === 0 && "Any"}
          </Stack>
        )}
      />
      <Column
        source="createdAt"
        label="Created"
        sx={WIDER}
        render={(apiKey) => (
          <Stack>
            <span>{date(apiKey.createdAt)}</span>
            {apiKey.revokedAt && (
              <Typography variant="caption" color="textSecondary">
                Revoked {date(apiKey.revokedAt)}
              </Typography>
            )}
          </Stack>
        )}
      />
      <Column
        label="Actions"
        disableSort
        align="right"
        render={(apiKey) => <KeyActions apiKey={apiKey} onRotated={onRotated} />}
      />
    </DataTable>
  </DataList>
);
