import ShieldIcon from "@mui/icons-material/ShieldOutlined";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import type { License } from "../../../api/types";
import { DataList } from "../../../ui/DataList";
import { EmptyState } from "../../../ui/EmptyState";
import { HelpLink } from "../../../ui/HelpLink";
import type { Attempt } from "./attempt";
import { AttemptTable } from "./AttemptTable";
import { WhatToDo } from "./WhatToDo";

const REFRESH_MS = 15_000;

/** Machines that were refused because the license is bound to another one. */
export const AttemptsTab = ({ license }: { license: License }) => (
  <Stack sx={{ gap: 2.5 }}>
    <WhatToDo license={license} />
    <DataList<Attempt>
      resource={`licenses/${license.id}/access-attempts`}
      storeKey={false}
      sort={{ field: "lastSeenAt", order: "DESC" }}
      queryOptions={{ refetchInterval: REFRESH_MS }}
      empty={
        <Card>
          <EmptyState
            icon={<ShieldIcon color="disabled" sx={{ fontSize: 48 }} />}
            title="No other machine has tried"
            action={<HelpLink topic="access-attempts">What access attempts tell</HelpLink>}
          >
            When the license is bound to a machine and another one validates, activates, or connects
            with its key, that one is refused and noted here.
          </EmptyState>
        </Card>
      }
    >
      <AttemptTable license={license} />
    </DataList>
  </Stack>
);
