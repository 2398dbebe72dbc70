import { t } from "@lingui/core/macro";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { useListContext } from "../../../ui/list/useList";
import type { License } from "../../../api/types";
import { DataList } from "../../../ui/list/DataList";
import { Row } from "../../../ui/layout/layout";
import { HelpLink } from "../../../ui/HelpLink";
import { statusWords } from "../../../ui/status";
import styles from "../detail.module.css";
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
    <DataList
      path={`licenses/${license.id}/activations`}
      filterNames={["status"]}
      sort="-createdAt"
      refetchInterval={REFRESH_MS}
      empty={<NoDevices license={license} />}
    >
      <StatusFilter license={license} />
      <DeviceTable license={license} />
    </DataList>
  </>
);

const STATUSES = ["Active", "Pending", "Blocked"] as const satisfies readonly DeviceStatus[];

function StatusFilter({ license }: { license: License }) {
  const { filters, setFilters } = useListContext<Device>();
  const total = license.maxActiveUsersCount;
  return (
    <Row gap="l" wraps place="apart" className={styles.inFrame}>
      <Row gap="xs">
        <ToggleButtonGroup
          exclusive
          aria-label={t`Filter by status`}
          value={filters["status"] ?? "All"}
          onChange={(_, chosen: DeviceStatus | "All" | null) => {
            if (chosen) setFilters({ status: chosen === "All" ? null : chosen });
          }}
        >
          <ToggleButton value="All">{t`All`}</ToggleButton>
          {STATUSES.map((item) => (
            <ToggleButton key={item} value={item}>
              {statusWords(item)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        <HelpLink topic="activations-and-sessions" />
      </Row>
      {license.type === "Concurrent" && total !== null && (
        <SeatsBar used={license.seatsUsed ?? 0} total={total} />
      )}
    </Row>
  );
}
