import { t } from "@lingui/core/macro";
import Switch from "@mui/material/Switch";
import FormControlLabel from "@mui/material/FormControlLabel";
import { useState } from "react";
import { download } from "../../../api/client";
import type { License } from "../../../api/types";
import { HelpLink } from "../../../ui/help";
import { Column, Fill, Row } from "../../../ui/layout/layout";
import type { Act } from "../../../ui/menu/ActMenu";
import { MoreMenu } from "../../../ui/menu/MoreMenu";
import { MODEL_TRAITS } from "../../../ui/models";
import { ProblemAlert } from "../../../ui/ProblemAlert";
import { HardwareIdField } from "../HardwareIdField";
import styles from "./overview.module.css";

type Kind = "plain" | "protected" | "base";

/**
 * Downloads of the signed license file, in one line; nothing where the verdict says that there is
 * none. Whether it is bound to one device is asked where the license works offline, or on request.
 */
export function LicenseFile({ license }: { license: License }) {
  const isOffline = license.activationMode === "Offline";
  const takesSeat = license.type === "Concurrent" && isOffline;
  const [isOpen, setOpen] = useState(isOffline);
  const [isBound, setBound] = useState(takesSeat);
  const [hardwareId, setHardwareId] = useState("");
  const [error, setError] = useState<unknown>(null);
  const device = isBound ? hardwareId.trim() : "";
  if (license.status !== "Active") return null;
  const fetchFile = async (kind: Kind) => {
    setError(null);
    const query = new URLSearchParams({
      ...(kind === "protected" && { protected: "true" }),
      ...(kind === "base" && { byCode: "true" }),
      ...(device && kind !== "base" && { hardwareId: device }),
    });
    try {
      await download(`/api/licenses/${license.id}/file?${query.toString()}`);
    } catch (error) {
      setError(error);
    }
  };
  const act = (label: string, kind: Kind, isBlocked = false) => ({
    label,
    isBlocked,
    act: () => void fetchFile(kind),
  });
  const isMissing = isBound && device === "";
  const acts: Act[] = [
    act(t`Download`, "plain", isMissing),
    act(t`Download encrypted: opens with the license key`, "protected", isMissing),
    ...(MODEL_TRAITS[license.type].offline
      ? [act(t`Download base file: valid with an answer code`, "base")]
      : []),
    ...(isOpen
      ? []
      : [
          {
            label: t`For one device…`,
            act: () => {
              setOpen(true);
              setBound(true);
            },
          },
        ]),
  ];
  return (
    <section aria-label="license.bin" className={styles.file}>
      <Row gap="xs">
        license.bin
        <HelpLink topic="offline" />
        <Fill />
        <MoreMenu label={t`Download`} acts={acts} />
      </Row>
      {isOpen && (
        <Column gap="m" align="start">
          <FormControlLabel
            disabled={takesSeat}
            control={<Switch checked={isBound} onChange={(_, checked) => setBound(checked)} />}
            label={t`Bind to one device`}
          />
          {isBound && (
            <HardwareIdField
              license={license}
              value={hardwareId}
              onChange={setHardwareId}
              helperText={boundNote(license, takesSeat)}
            />
          )}
        </Column>
      )}
      {error !== null && <ProblemAlert error={error} />}
    </section>
  );
}

const boundNote = ({ type }: License, takesSeat: boolean): string => {
  if (type === "NodeLocked")
    return t`The file works only on this device. If the license is not bound to a device yet, this binds it.`;
  if (takesSeat)
    return t`The file works only on this device, which takes a seat and keeps it at least until the file ends.`;
  return t`The file works only on this device.`;
};
