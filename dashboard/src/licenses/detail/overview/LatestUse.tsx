import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { nameOf } from "../../../ui/devices/deviceActions";
import { ButtonLink } from "../../../ui/PageLink";
import { RelativeTime } from "../../../ui/RelativeTime";
import { Section } from "../../../ui/Section";
import { StatusChip } from "../../../ui/StatusChip";
import styles from "./overview.module.css";

const SHOWN = 4;

interface LatestProps {
  license: License;
}

/** Who uses the license: the live sessions of a pool, else the devices. */
export const LatestUse = ({ license }: LatestProps) =>
  license.type === "Floating" ? (
    <LatestSessions license={license} />
  ) : (
    <LatestDevices license={license} />
  );

/** The devices that were seen last, with the status of those that may not use the license. */
function LatestDevices({ license }: LatestProps) {
  const { data } = $api.useQuery("get", "/api/licenses/{licenseId}/activations", {
    params: {
      path: { licenseId: license.id },
      query: { pageSize: SHOWN, sort: "-lastSeenAt" },
    },
  });
  return (
    <Latest title={t`Devices`} list={data} path={`/licenses/${license.id}/activations`}>
      {data?.items.map((device) => (
        <li key={device.id}>
          <span className={styles.device}>{nameOf(device)}</span>
          {device.status !== "Active" && <StatusChip status={device.status} />}
          <span className={styles.seen}>
            <Trans>
              Last seen <RelativeTime at={device.lastSeenAt} />
            </Trans>
          </span>
        </li>
      ))}
    </Latest>
  );
}

/** The sessions that began last. */
function LatestSessions({ license }: LatestProps) {
  const { data } = $api.useQuery("get", "/api/licenses/{licenseId}/sessions", {
    params: {
      path: { licenseId: license.id },
      query: { pageSize: SHOWN, sort: "-connectedAt" },
    },
  });
  return (
    <Latest title={t`Live sessions`} list={data} path={`/licenses/${license.id}/sessions`}>
      {data?.items.map((session) => (
        <li key={session.id}>
          <span className={styles.device}>{nameOf(session)}</span>
          <span className={styles.seen}>
            <Trans>
              Connected <RelativeTime at={session.connectedAt} />
            </Trans>
          </span>
        </li>
      ))}
    </Latest>
  );
}

interface Listed {
  items: unknown[];
  totalCount?: number;
}

interface LatestListProps {
  title: string;
  list: Listed | undefined;
  /** Where they all are. */
  path: string;
  children: ReactNode;
}

/** The first of a list, and the way to the others; nothing if there are none. */
const Latest = ({ title, list, path, children }: LatestListProps) =>
  list && list.items.length > 0 ? (
    <Section
      title={title}
      actions={
        <ButtonLink to={path} size="small">
          {t`All ${{ count: list.totalCount ?? "" }}`}
        </ButtonLink>
      }
    >
      <ul className={styles.devices}>{children}</ul>
    </Section>
  ) : null;
