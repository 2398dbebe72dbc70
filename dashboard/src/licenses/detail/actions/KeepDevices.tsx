import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormGroup from "@mui/material/FormGroup";
import { $api } from "../../../api/client";
import type { License } from "../../../api/types";
import { date } from "../../../ui/formats";
import { Column } from "../../../ui/layout/layout";
import { nameOf } from "../../../ui/devices/deviceActions";

const SHOWN = 100;

/** The devices that have a seat or would get one, oldest first, and how many there are. */
export function useSeatedDevices(license: License) {
  const params = { path: { licenseId: license.id } };
  const query = { sort: "createdAt", pageSize: SHOWN };
  const path = "/api/licenses/{licenseId}/activations";
  const active = $api.useQuery("get", path, {
    params: { ...params, query: { ...query, status: "Active" } },
  });
  const over = $api.useQuery("get", path, {
    params: { ...params, query: { ...query, status: "OverLimit" } },
  });
  const both = [active.data, over.data];
  return {
    devices: both.flatMap((page) => page?.items ?? []),
    total: both.reduce((sum, page) => sum + (page?.totalCount ?? 0), 0),
  };
}

interface KeepDevicesProps extends ReturnType<typeof useSeatedDevices> {
  /** How many devices may hold a seat. */
  cap: number;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Says how many devices will be over the limit, and lets the operator choose which stay. */
export function KeepDevices({ devices, total, cap, chosen, onChange }: KeepDevicesProps) {
  return (
    <Column gap="s">
      <Alert severity="warning">
        {plural(total, {
          other: `${{ over: total - cap }} of # devices will be over the limit. They stay listed and get their seats back when the license has more.`,
        })}{" "}
        {t`Their sessions end, and applications on them are rejected from their next validation.`}
      </Alert>
      <FormGroup aria-label={t`Devices that keep their seats`}>
        {devices.map((device) => {
          const isChosen = chosen.includes(device.id);
          return (
            <FormControlLabel
              key={device.id}
              label={t`${{ name: nameOf(device) }}, last seen ${{ day: date(device.lastSeenAt) }}`}
              control={
                <Checkbox
                  checked={isChosen}
                  disabled={!isChosen && chosen.length >= cap}
                  onChange={() =>
                    onChange(
                      isChosen ? chosen.filter((id) => id !== device.id) : [...chosen, device.id],
                    )
                  }
                />
              }
            />
          );
        })}
      </FormGroup>
      {chosen.length < cap && (
        <span>{t`The oldest of the other devices keep the remaining seats.`}</span>
      )}
    </Column>
  );
}
