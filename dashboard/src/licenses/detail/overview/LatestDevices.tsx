import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { RelativeTime } from "../../../ui/RelativeTime";
import { Section } from "../../../ui/Section";
import { StatusChip } from "../../../ui/StatusChip";
import { nameOf } from "../devices/device";
import styles from "./overview.module.css";

const SHOWN = 4;

/** The devices that were seen last; nothing if there are none. */
export function LatestDevices({ license }: { license: License }) {
  const { data } = $api.useQuery("get", "/api/licenses/{licenseId}/activations", {
    params: { path: { licenseId: license.id }, query: { pageSize: SHOWN, sort: "-lastSeenAt" } },
  });
  if (!data?.items.length) return null;
  return (
    <Section
      title={t`Devices`}
      actions={
        <Button component={Link} to={`/licenses/${license.id}/activations`} size="small">
          {t`All ${{ count: data.totalCount ?? "" }}`}
        </Button>
      }
    >
      <ul className={styles.devices}>
        {data.items.map((device) => (
          <li key={device.id}>
            <span className={styles.device}>{nameOf(device)}</span>
            <span className={styles.seen}>
              <RelativeTime at={device.lastSeenAt} />
            </span>
            <StatusChip status={device.seatFreeAt === null ? device.status : "Released"} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
