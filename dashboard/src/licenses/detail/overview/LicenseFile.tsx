import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Switch from "@mui/material/Switch";
import FormControlLabel from "@mui/material/FormControlLabel";
import { useState } from "react";
import { DownloadIcon, LockIcon } from "../../../ui/icons";
import { download } from "../../../api/client";
import type { License, LicenseStatus } from "../../../api/types";
import { Column, Row } from "../../../ui/layout/layout";
import { MODEL_TRAITS } from "../../../ui/models";
import { Muted } from "../../../ui/Muted";
import { ProblemAlert } from "../../../ui/ProblemAlert";
import { Section } from "../../../ui/Section";
import styles from "../detail.module.css";
import { HardwareIdField } from "../HardwareIdField";

type Kind = "plain" | "protected" | "base";

/** Why there is no file; empty for the status that has one. */
const NO_FILE: Record<LicenseStatus, string> = {
  Active: "",
  Expired: t`The license is expired, so its file cannot be downloaded.`,
  Revoked: t`The license is revoked, so its file cannot be downloaded.`,
  Suspended: t`The license is suspended, so its file cannot be downloaded.`,
};

/** The signed license file, or why there is none. */
export const LicenseFile = ({ license }: { license: License }) => {
  const isActive = license.status === "Active";
  return (
    <Section
      title="license.bin"
      help="offline"
      subtitle={
        isActive
          ? t`The signed license as a file. Put it next to the application, which verifies it with the public key without contacting the server.`
          : NO_FILE[license.status]
      }
    >
      {isActive && <Downloads license={license} />}
    </Section>
  );
};

/** Downloads of the file, on request bound to a machine. */
function Downloads({ license }: { license: License }) {
  const takesSeat = license.type === "Concurrent" && license.activationMode === "Offline";
  const [isBound, setBound] = useState(takesSeat);
  const [hardwareId, setHardwareId] = useState("");
  const [busy, setBusy] = useState<Kind | null>(null);
  const [error, setError] = useState<unknown>(null);
  const machine = isBound ? hardwareId.trim() : "";

  const fetchFile = async (kind: Kind) => {
    setBusy(kind);
    setError(null);
    const query = new URLSearchParams({
      ...(kind === "protected" && { protected: "true" }),
      ...(kind === "base" && { byCode: "true" }),
      ...(machine && kind !== "base" && { hardwareId: machine }),
    });
    try {
      await download(`/api/licenses/${license.id}/file?${query.toString()}`);
    } catch (error) {
      setError(error);
    }
    setBusy(null);
  };
  const disabled = busy !== null || (isBound && machine === "");
  return (
    <Column gap="l" align="start">
      <FormControlLabel
        disabled={takesSeat}
        control={<Switch checked={isBound} onChange={(_, checked) => setBound(checked)} />}
        label={t`Bind to one machine`}
      />
      {isBound && (
        <HardwareIdField
          license={license}
          value={hardwareId}
          onChange={setHardwareId}
          helperText={boundNote(license, takesSeat)}
        />
      )}
      <Row gap="s" wraps>
        <Button
          variant="outlined"
          startIcon={<DownloadIcon />}
          disabled={disabled}
          loading={busy === "plain"}
          onClick={() => void fetchFile("plain")}
        >
          {t`Download`}
        </Button>
        <Button
          variant="outlined"
          startIcon={<LockIcon />}
          disabled={disabled}
          loading={busy === "protected"}
          onClick={() => void fetchFile("protected")}
        >
          {t`Download encrypted`}
        </Button>
        {MODEL_TRAITS[license.type].offline && (
          <Button
            startIcon={<DownloadIcon />}
            disabled={busy !== null}
            loading={busy === "base"}
            onClick={() => void fetchFile("base")}
          >
            {t`Download base file`}
          </Button>
        )}
      </Row>
      <Muted className={styles.prose}>
        {t`The encrypted file can be opened only with the license key.`}
        {MODEL_TRAITS[license.type].offline && (
          <>
            {" "}
            {t`The base file is valid on a machine without a network once the answer code for the machine is typed there.`}
          </>
        )}
      </Muted>
      {error !== null && <ProblemAlert error={error} />}
    </Column>
  );
}

const boundNote = ({ type }: License, takesSeat: boolean): string => {
  if (type === "NodeLocked")
    return t`The file works only on this machine. If the license is not bound to a machine yet, this binds it.`;
  if (takesSeat)
    return t`The file works only on this machine, which takes a seat and keeps it at least until the file ends.`;
  return t`The file works only on this machine.`;
};
