import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import AlertTitle from "@mui/material/AlertTitle";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import { HourglassIcon } from "../../../ui/icons";
import { Column, Row } from "../../../ui/layout/layout";
import { Muted } from "../../../ui/Muted";
import { RelativeTime } from "../../../ui/RelativeTime";
import { HardwareId } from "../HardwareId";

interface WaitingDeviceProps {
  title: string;
  name: string;
  hardwareId: string;
  os?: string | null;
  appVersion: string | null;
  requestedAt: string;
  /** What may be done, the first of it most likely. */
  actions: readonly { label: string; act: () => void }[];
  dialog: ReactNode;
}

/** A device that waits for approval, and how it is decided. */
export function WaitingDevice(props: WaitingDeviceProps) {
  const { title, name, hardwareId, os, appVersion, requestedAt, actions, dialog } = props;
  return (
    <Alert severity="warning" icon={<HourglassIcon />}>
      <AlertTitle>{title}</AlertTitle>
      <Column gap="s">
        <Row gap="m" wraps>
          <HardwareId id={hardwareId} label={t`Copy hardware ID of ${{ device: name }}`} />
          <Muted>
            {[os, appVersion && t`version ${{ version: appVersion }}`]
              .filter(Boolean)
              .map((part) => `${String(part)} · `)}
            <Trans>
              requested <RelativeTime at={requestedAt} />
            </Trans>
          </Muted>
        </Row>
        {actions.length > 0 && (
          <Row gap="s" wraps>
            {actions.map(({ label, act }, place) => (
              <Button
                key={label}
                size="small"
                variant={place === 0 ? "contained" : "outlined"}
                color={place === 0 ? "primary" : "inherit"}
                onClick={act}
              >
                {label}
              </Button>
            ))}
          </Row>
        )}
      </Column>
      {dialog}
    </Alert>
  );
}
