import DevicesIcon from "@mui/icons-material/DevicesOutlined";
import Card from "@mui/material/Card";
import type { License } from "../../../api/types";
import { EmptyState } from "../../../ui/EmptyState";
import { HelpLink } from "../../../ui/HelpLink";

/** How a device gets into the list, which differs between the models. */
export const NoDevices = ({ license }: { license: License }) => (
  <Card>
    <EmptyState
      icon={<DevicesIcon color="disabled" sx={{ fontSize: 48 }} />}
      title="No devices yet"
      action={<HelpLink topic="activations-and-sessions">How devices and sessions work</HelpLink>}
    >
      {howOf(license)}
    </EmptyState>
  </Card>
);

function howOf({ type, deviceBindingMode }: License): string {
  if (type === "NodeLocked")
    return deviceBindingMode === "OwnerApproval"
      ? "A machine comes here when the application validates the license on it for the first time. It then waits until you approve it."
      : "The license is bound to the first machine on which the application validates it. That machine comes here by itself.";
  if (type === "Concurrent")
    return "A device comes here when the application activates the license on it. Each one holds a seat until it is deactivated.";
  if (type === "Floating")
    return "Seats of this license belong to live sessions, not to devices. A device comes here only if the application activates the license on it; block it here to keep it out.";
  return "A device comes here when the application activates the license on it. This model takes any number of devices.";
}
