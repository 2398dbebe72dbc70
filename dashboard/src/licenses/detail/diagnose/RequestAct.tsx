import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import type { License, Schemas } from "../../../api/types";
import { type Device, nameOf } from "../../../ui/devices/deviceActions";
import { ButtonLink } from "../../../ui/PageLink";
import { isShortOf } from "./hardwareIds";

type Request = Pick<Schemas["CountedRequest"], "status" | "hardwareId">;

interface RequestActProps {
  license: License;
  request: Request;
  devices: readonly Device[];
  /** Asks whether to do something with a device, by the label of that. */
  onAsk: (device: Device, label: string) => void;
}

/** What is done with a device so that a request like this one is accepted. */
function deviceActOf(
  { status, hardwareId }: Request,
  devices: readonly Device[],
): { device: Device; label: string; words: string } | undefined {
  const its = devices.find((device) => isShortOf(hardwareId, device.hardwareId));
  if (status === "PendingApproval" && its?.status === "Pending")
    return { device: its, label: t`Approve`, words: t`Approve` };
  if (status === "DeviceBlocked" && its?.status === "Blocked")
    return { device: its, label: t`Unblock`, words: t`Unblock` };
  if (status !== "HardwareMismatch" || its) return undefined;
  const bound = devices.find(({ status: state }) => state === "Active");
  return (
    bound && {
      device: bound,
      label: t`Deactivate`,
      words: t`Deactivate ${{ device: nameOf(bound) }}`,
    }
  );
}

/** Where a seat is freed, by what a request was refused for the lack of one. */
const SEATS: Partial<Record<string, string>> = {
  MaxActivationsReached: "activations#free",
  MaxConcurrentSessionsReached: "sessions#free",
};

const isFull = ({ maxActiveUsersCount: seats, seatsUsed }: License): boolean =>
  seats !== null && (seatsUsed ?? 0) >= seats;

/** What helps the device of a rejected request, beside the sentence that advises it; nothing if that is done. */
export function RequestAct({ license, request, devices, onAsk }: RequestActProps) {
  const act = deviceActOf(request, devices);
  if (act)
    return (
      <Button size="small" variant="outlined" onClick={() => onAsk(act.device, act.label)}>
        {act.words}
      </Button>
    );
  const place = SEATS[request.status];
  if (place === undefined || !isFull(license)) return null;
  return (
    <ButtonLink to={`/licenses/${license.id}/${place}`} size="small" variant="outlined">
      {t`Free a seat`}
    </ButtonLink>
  );
}
