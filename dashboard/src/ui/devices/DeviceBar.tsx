import { plural, t } from "@lingui/core/macro";
import { asProblem } from "../../api/problem";
import { lazy } from "../lazy";
import { useListContext } from "../list/useList";
import { BulkBar } from "../bulk/BulkBar";
import type { BulkAction, BulkResult } from "../bulk/useBulkRun";
import { deactivate, type Device } from "./deviceActions";

const DeactivateDialog = lazy(() => import("./DeactivateDialog"));

export interface DeactivateGiven {
  /** Whether seats are free at once, although a license file works on. */
  force: boolean;
}

const ACTIONS: Record<"deactivate", BulkAction<Device, DeactivateGiven, "deactivate">> = {
  deactivate: {
    label: t`Deactivate`,
    danger: true,
    title: t`Deactivating devices`,
    done: (count) => plural(count, { one: "# device deactivated", other: "# devices deactivated" }),
  },
};

/** As many as a browser asks of a server at once. */
const PART = 6;

async function send(_: "deactivate", devices: Device[], { force }: DeactivateGiven) {
  const result: BulkResult<Device> = { done: [], refused: [] };
  const answers = await Promise.allSettled(devices.map((device) => deactivate(device, force)));
  devices.forEach((item, place) => {
    const answer = answers[place];
    if (answer?.status === "rejected")
      result.refused.push({ item, why: asProblem(answer.reason).detail });
    else result.done.push(item);
  });
  return result;
}

/** What can be done with the selected devices. */
export function DeviceBar() {
  const { selection } = useListContext<Device>();
  return (
    selection && (
      <BulkBar
        selection={selection}
        actions={ACTIONS}
        shown={["deactivate"]}
        send={send}
        part={PART}
        Dialog={DeactivateDialog}
      />
    )
  );
}
