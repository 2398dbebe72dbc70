import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import { DevicesIcon } from "../../../ui/icons";
import type { License } from "../../../api/types";
import { EmptyState } from "../../../ui/EmptyState";
import { HelpLink } from "../../../ui/HelpLink";

/** Explains how devices get into the list, by license model. */
export const NoDevices = ({ license }: { license: License }) => (
  <Card>
    <EmptyState
      icon={<DevicesIcon />}
      title={t`No devices yet`}
      action={
        <HelpLink topic="activations-and-sessions">{t`How devices and sessions work`}</HelpLink>
      }
    >
      {howOf(license)}
    </EmptyState>
  </Card>
);

function howOf({ type, deviceBindingMode }: License): string {
  if (type === "NodeLocked")
    return deviceBindingMode === "OwnerApproval"
      ? t`A machine appears here when the application first validates the license on it. It then waits for your approval.`
      : t`The license is bound to the first machine on which the application validates it. That machine then appears here.`;
  if (type === "Concurrent")
    return t`A device appears here when the application activates the license on it. Each device holds a seat until it is deactivated.`;
  if (type === "Floating")
    return t`Seats of this license are taken by live sessions, not by devices. A device appears here only if the application activates the license on it. Block it to lock it out.`;
  return t`A device appears here when the application activates the license on it. This license model allows any number of devices.`;
}
