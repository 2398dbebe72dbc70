import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { $api } from "../../../api/client";
import type { License, Schemas } from "../../../api/types";
import { type Device, nameOf, useDeviceActions } from "../../../ui/devices/deviceActions";
import { Row } from "../../../ui/layout/layout";
import { Muted } from "../../../ui/Muted";
import { ButtonLink } from "../../../ui/PageLink";
import { RelativeTime } from "../../../ui/RelativeTime";
import { useCan } from "../../../ui/useInstitution";
import { REFRESH_MS } from "../devices/queries";
import { isShortOf } from "./hardwareIds";
import { outcomeOf, toneOf } from "./verdicts";

const RECENT_MS = 7 * 86_400_000;
const isRecent = (moment: string) => Date.now() - Date.parse(moment) < RECENT_MS;

/** What other devices were refused lately, by which the license is said not to work. */
export interface Rejected {
  devices: number;
  newest: Schemas["CountedRequest"];
}

/** The devices but this one that the license rejected in the last 7 days; undefined without any. */
export function useRejected(license: License, hardwareId: string | undefined) {
  const { manage } = useCan(license.institutionId);
  const { data } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}/requests",
    {
      params: {
        path: { licenseId: license.id },
        query: { sort: "-lastSeenAt", pageSize: 100 },
      },
    },
    { enabled: manage, refetchInterval: REFRESH_MS },
  );
  const rejected = data?.items.filter(
    (request) =>
      toneOf(request.status) === "bad" &&
      request.hardwareId !== null &&
      !(hardwareId !== undefined && isShortOf(request.hardwareId, hardwareId)) &&
      isRecent(request.lastSeenAt),
  );
  const [newest] = rejected ?? [];
  if (!newest) return undefined;
  const devices = new Set(rejected?.map((request) => request.hardwareId)).size;
  return { devices, newest };
}

/** That the license works on one device, and that others are rejected. */
export function rejectedText(device: Device | undefined, { devices, newest }: Rejected): string {
  const here = device ? t`Valid on ${{ device: nameOf(device) }}.` : t`The license is valid.`;
  const others =
    newest.status === "HardwareMismatch"
      ? plural(devices, {
          one: "Rejected # other device in the last 7 days: the license is bound elsewhere.",
          other: "Rejected # other devices in the last 7 days: the license is bound elsewhere.",
        })
      : plural(devices, {
          one: "Rejected # other device in the last 7 days.",
          other: "Rejected # other devices in the last 7 days.",
        });
  return `${here} ${others}`;
}

interface NewestProps {
  license: License;
  request: Schemas["CountedRequest"];
  /** The device that has the license. */
  device: Device | undefined;
  /** Whether several were rejected, which share the key. */
  isShared: boolean;
}

/** The newest request that was rejected, with what lets its device use the license. */
export function NewestRejected({ license, request, device, isShared }: NewestProps) {
  const actions = useDeviceActions(license.type);
  const { deviceName, hardwareId, appVersion, lastSeenAt, status } = request;
  const asking = deviceName ?? hardwareId;
  const isBound = status === "HardwareMismatch" && device !== undefined;
  return (
    <Row gap="m" wraps place="apart">
      <div>
        <Typography variant="body2" dir="auto">
          <Trans>
            Last rejected: <b>{asking}</b>, <RelativeTime at={lastSeenAt} />
          </Trans>
          {appVersion && ` · ${appVersion}`}
        </Typography>
        <Muted>{outcomeOf(status)}</Muted>
      </div>
      {isBound && isShared ? (
        <ButtonLink to={`/licenses/${license.id}?act=rekey`} variant="outlined">
          {t`Replace key`}
        </ButtonLink>
      ) : isBound ? (
        <Button variant="outlined" onClick={() => actions.ask(device, t`Deactivate`)}>
          {t`Deactivate ${{ device: nameOf(device) }}`}
        </Button>
      ) : (
        <ButtonLink to={`/licenses/${license.id}/activations`}>{t`Devices`}</ButtonLink>
      )}
      {actions.dialog}
    </Row>
  );
}
