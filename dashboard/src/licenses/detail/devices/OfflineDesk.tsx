import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useState } from "react";
import { request as send } from "../../../api/client";
import type { License } from "../../../api/types";
import { Column } from "../../../ui/layout/layout";
import { Muted } from "../../../ui/Muted";
import { Desk, type DeskRoutes } from "../../../ui/offline/Desk";
import { RequestInput } from "../../../ui/offline/RequestInput";
import { claimsOf, type Readable } from "../../../ui/offline/requests";
import type { RequestAnswer } from "../../../ui/offline/wire";
import { useRefresh } from "../../../ui/useNotifyChanged";

/** What an operator is shown before they answer: what the request says, and the license at hand. */
const routesOf = (license: License): DeskRoutes => ({
  preview: (asked) => {
    const { kind, deviceName, hardwareId } = claimsOf(asked);
    const isSeated = license.type === "Concurrent";
    return Promise.resolve({
      kind,
      productName: license.productName,
      licenseName: license.licenseName,
      deviceName,
      hardwareIdEnding: hardwareId === null ? null : hardwareId.slice(-6),
      seatsUsed: isSeated ? license.seatsUsed : null,
      seatsTotal: isSeated ? license.maxActiveUsersCount : null,
      approval: false,
      state: "New" as const,
      reason: null,
      needsLicenseKey: false,
      endsAt: null,
    });
  },
  answer: ({ request }) =>
    send<RequestAnswer>("POST", `/api/licenses/${license.id}/offline`, { request }),
});

interface OfflineDeskProps {
  license: License;
  onClose: () => void;
}

/** Answers the request of a machine without a network for the customer, without an approval. */
export default function OfflineDesk({ license, onClose }: OfflineDeskProps) {
  const [asked, setAsked] = useState<Readable | null>(null);
  const refresh = useRefresh();
  return (
    <Dialog open onClose={onClose} aria-labelledby="offline-desk" fullWidth>
      <DialogTitle id="offline-desk">{t`Offline desk`}</DialogTitle>
      <DialogContent>
        <Column gap="l">
          <Muted>
            {t`Answer the request of a machine without a network that a customer has sent you. Your answer needs no approval, and works also where the license does not offer offline activation.`}
          </Muted>
          {asked ? (
            <Desk
              key={asked.request}
              request={asked}
              routes={routesOf(license)}
              licenseKey={license.licenseKey}
              onAnother={() => setAsked(null)}
              onAnswered={refresh}
            />
          ) : (
            <RequestInput onRequest={setAsked} />
          )}
        </Column>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  );
}
