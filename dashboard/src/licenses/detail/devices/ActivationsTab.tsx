import Stack from "@mui/material/Stack";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { useListContext } from "react-admin";
import type { License } from "../../../api/types";
import { DataList } from "../../../ui/DataList";
import { HelpLink } from "../../../ui/HelpLink";
import { SeatsBar } from "../SeatsBar";
import { NoDevices } from "./NoDevices";
import { DeviceTable } from "./DeviceTable";
import { PendingDevices } from "./PendingDevices";
import type { Device, DeviceStatus } from "./device";

const REFRESH_MS = 15_000;

/** The devices of the license. */
export const ActivationsTab = ({ license }: { license: License }) => (
  <>
    {license.type === "NodeLocked" && <PendingDevices license={license} />}
    <DataList<Device>
      resource={`licenses/${license.id}/activations`}
      storeKey={false}
      sort={{ field: "createdAt", order: "DESC" }}
      queryOptions={{ refetchInterval: REFRESH_MS }}
      empty={<NoDevices license={license} />}
    >
      <StatusFilter license={license} />
      <DeviceTable license={license} />
    </DataList>
  </>
);

const STATUSES = ["Active", "Pending", "Blocked"] as const satisfies readonly DeviceStatus[];

function StatusFilter({ license }: { license: License }) {
  const { filterValues, setFilters } = useListContext<Device>();
  const status = (filterValues as { status?: DeviceStatus }).status;
  const total = license.maxActiveUsersCount;
  return (
    <Stack
      direction="row"
      sx={{ gap: 2, p: 2, alignItems: "center", flexWrap: "wrap", justifyContent: "space-between" }}
    >
      <Stack direction="row" sx={{ gap: 0.5, alignItems: "center" }}>
        <ToggleButtonGroup
          exclusive
          aria-label="Filter by status"
          value={status ?? "All"}
          onChange={(_, chosen: DeviceStatus | "All" | null) => {
            if (chosen) setFilters(chosen === "All" ? {} : { status: chosen }, {});
          }}
        >
          <ToggleButton value="All">All</ToggleButton>
          {STATUSES.map((item) => (
            <ToggleButton key={item} value={item}>
              {item}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        <HelpLink topic="activations-and-sessions" />
      </Stack>
      {license.type === "Concurrent" && total !== null && (
        <SeatsBar used={license.seatsUsed ?? 0} total={total} />
      )}
    </Stack>
  );
}
