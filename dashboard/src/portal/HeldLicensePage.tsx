import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { download, request } from "../api/client";
import { Problem } from "../api/problem";
import type { Schemas } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { CopyField } from "../ui/CopyField";
import { DeploymentKeys } from "../ui/deploymentKeys/DeploymentKeys";
import { ProductEmblem } from "../ui/Emblem";
import { EmptyState } from "../ui/EmptyState";
import { date, number, relative } from "../ui/formats";
import { DownloadIcon, LockIcon } from "../ui/icons";
import { Column, Row } from "../ui/layout/layout";
import { hasDevices, MODEL_TRAITS } from "../ui/models";
import { Muted } from "../ui/Muted";
import { Page } from "../ui/Page";
import { ButtonLink } from "../ui/PageLink";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import { notify } from "../ui/toasts/toasts";
import { usePortalView } from "./viewing";
import { useVendor, type Vendor } from "../ui/vendor/vendor";
import { ADVICE, type Fact, factsOf, isLow, kindOf } from "./licenseText";
import { LicenseSummary } from "./LicenseSummary";
import { LowBalance, RenewLink } from "./RenewLink";
import styles from "./portal.module.css";

interface HeldLicensePageProps {
  /** The title until the license is loaded. */
  title: string;
  back?: { to: string; label: string } | undefined;
  query: {
    data: Schemas["PortalLicense"] | Schemas["ReceivedLicense"] | undefined;
    error: unknown;
    refetch: () => unknown;
  };
  /** Whose pages these are, if they are one vendor's. */
  vendor?: Vendor | undefined;
  moreFacts?: Fact[] | undefined;
  /** Above what the license is. */
  welcome?: ReactNode;
  children: ReactNode;
}

/** A license of the user or of their institution; `children` are the sections below the facts. */
export function HeldLicensePage(props: HeldLicensePageProps) {
  const { title, back, query, vendor, moreFacts, welcome, children } = props;
  const license = query.data;
  if (!license)
    return (
      <Page title={title} {...(back && { back })}>
        {isMissing(query.error) ? (
          <EmptyState
            title={t`This license is not among yours`}
            action={
              back && (
                <ButtonLink to={back.to} variant="contained">
                  {back.label}
                </ButtonLink>
              )
            }
          >
            {t`It may have been deleted, or issued to another email address than the one that you signed in with.`}
          </EmptyState>
        ) : query.error ? (
          <ProblemAlert error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Column gap="l" aria-busy>
            <Skeleton variant="rounded" height={200} />
            <Skeleton variant="rounded" height={160} />
          </Column>
        )}
      </Page>
    );
  const advice = ADVICE[license.status];
  return (
    <Page
      title={license.productName}
      isTest={license.test}
      mark={<StatusChip status={license.status} />}
      picture={<ProductEmblem name={license.productName} size="medium" />}
      subtitle={`${license.licenseName} · ${kindOf(license)}`}
      {...(back && { back })}
      actions={!isLow(license) && <RenewLink license={license} />}
    >
      {welcome}
      <Column gap="l">
        {advice && <Alert severity="warning">{advice}</Alert>}
        {isLow(license) && <LowBalance license={license} vendor={vendor} />}
        <LicenseSummary
          license={license}
          facts={[...factsOf(license, vendor), ...(moreFacts ?? [])]}
        />
        {children}
      </Column>
    </Page>
  );
}

const isMissing = (error: unknown): boolean => error instanceof Problem && error.status === 404;

type PortalLicense = Schemas["PortalLicense"];
type Device = Schemas["PortalActivation"];

interface PortalDevicesProps {
  license: PortalLicense;
  /** Path of the license in the API: in the portal, or among the received ones. */
  path: string;
  /** Whether the user may free seats. */
  manage: boolean;
}

/** The devices of the license. Holders can free a limited number of seats per year. */
export function PortalDevices({ license, path, manage }: PortalDevicesProps) {
  const isView = usePortalView() !== null;
  const [freed, setFreed] = useState<Device | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["get", path, "activations"],
    queryFn: () =>
      request<Schemas["PortalActivationList"]>("GET", `${path}/activations?pageSize=100`),
  });
  const devices = data?.items ?? [];
  const hasSeats = hasDevices(MODEL_TRAITS[license.type]);
  // Of a license that no device takes a seat of, one that is missing says nothing.
  if (!hasSeats && !error && devices.length === 0) return null;
  return (
    <>
      <Section title={t`Devices`} {...(manage && hasSeats && { subtitle: allowanceOf(license) })}>
        {error && <ProblemAlert error={error} retry={() => void refetch()} />}
        {!error && !data && <Skeleton variant="rounded" height={64} />}
        {data && devices.length === 0 && (
          <Muted>
            {t`No devices yet. Start the application and enter the license key. The device then appears here.`}
          </Muted>
        )}
        {isView && devices.length > 0 && (
          <Muted>{t`Read only: the customer frees seats here.`}</Muted>
        )}
        <Column as="ul">
          {devices.map((device) => (
            <DeviceRow
              key={device.id}
              device={device}
              hasSeat={hasSeats}
              // Devices of a revoked license and blocked devices can only be handled by the vendor.
              onFree={
                !manage ||
                license.status === "Revoked" ||
                device.status === "Blocked" ||
                device.seatFreeAt !== null
                  ? undefined
                  : () => setFreed(device)
              }
            />
          ))}
        </Column>
        {freed && (
          <FreeDialog license={license} path={path} device={freed} onClose={() => setFreed(null)} />
        )}
      </Section>
      {manage && !isView && license.type === "Concurrent" && <DeploymentKeys path={path} />}
    </>
  );
}

/** When the seat of the device is free. */
const freeOf = ({ fileEndsAt }: Device): string =>
  fileEndsAt !== null && Date.parse(fileEndsAt) > Date.now()
    ? t`The application stops working on it, and its seat is on ${{ day: date(fileEndsAt) }}, when its license file has ended, free for another device.`
    : t`The application stops working on it, and its seat is immediately free for another device.`;

const costOf = ({ deviceReleasesLeft }: PortalLicense): string => {
  const left = number(deviceReleasesLeft);
  return plural(deviceReleasesLeft, {
    one: `This is the last seat that you can free this year.`,
    other: `You can free ${left} more seats this year, including this one.`,
  });
};

/** The name of a device; one without is told from others by the end of its hardware ID. */
const nameOf = ({ deviceName, hardwareId }: Device): string =>
  deviceName ?? t`Device …${{ end: hardwareId.slice(-4) }}`;

const allowanceOf = ({ deviceReleasesPerYear, deviceReleasesLeft }: PortalLicense): string => {
  if (deviceReleasesPerYear === 0)
    return t`Lost or broken device? Ask the vendor to free its seat.`;
  const left = number(deviceReleasesLeft);
  return plural(deviceReleasesLeft, {
    one: `Lost or broken device? Free its seat here. You can free ${left} more seat this year.`,
    other: `Lost or broken device? Free its seat here. You can free ${left} more seats this year.`,
  });
};

interface DeviceRowProps {
  device: Device;
  /** Whether it takes a seat that another device may need. */
  hasSeat: boolean;
  onFree: (() => void) | undefined;
}

function DeviceRow({ device, hasSeat, onFree }: DeviceRowProps) {
  const isView = usePortalView() !== null;
  const name = nameOf(device);
  const version = device.appVersion && t`version ${{ version: device.appVersion }}`;
  const runsOn = [device.os, version].filter(Boolean).join(" · ");
  const [act, described] =
    device.status === "Pending"
      ? [t`Withdraw`, t`Withdraw ${name}`]
      : hasSeat
        ? [t`Free seat`, t`Free seat of ${name}`]
        : [t`Remove`, t`Remove ${name}`];
  return (
    <Row as="li" gap="l" wraps className={styles.device}>
      <div className={styles.deviceFacts}>
        <Row gap="s" wraps>
          <Typography variant="subtitle1" component="p">
            {name}
          </Typography>
          {device.status !== "Active" && <StatusChip status={device.status} />}
        </Row>
        {runsOn && <Muted>{runsOn}</Muted>}
        <Muted>
          {t`Since ${{ day: date(device.createdAt) }}, last seen ${{ when: relative(device.lastSeenAt) }}`}
        </Muted>
        {device.reclaimable && (
          <Muted>
            {t`Not used since ${{ day: date(device.lastSeenAt) }}. When all seats are taken, a new device gets its seat.`}
          </Muted>
        )}
        {device.seatFreeAt !== null && (
          <Muted>
            {t`Freed; its seat is available on ${{ day: date(device.seatFreeAt) }}, when its license file has ended`}
          </Muted>
        )}
        <details className={styles.checksum}>
          <summary>{t`Hardware ID …${{ end: device.hardwareId.slice(-4) }}`}</summary>
          <CopyField label={t`Hardware ID`} value={device.hardwareId} />
        </details>
      </div>
      {onFree && (
        <Button variant="outlined" onClick={onFree} disabled={isView} aria-label={described}>
          {act}
        </Button>
      )}
    </Row>
  );
}

interface FreeDialogProps {
  license: PortalLicense;
  path: string;
  device: Device;
  onClose: () => void;
}

function FreeDialog({ license, path, device, onClose }: FreeDialogProps) {
  const queryClient = useQueryClient();
  const name = nameOf(device);
  const hasSeat = hasDevices(MODEL_TRAITS[license.type]);
  const free = async () => {
    await request("DELETE", `${path}/activations/${device.id}`);
    notify(t`${name} removed from the license.`, { type: "info" });
    await queryClient.invalidateQueries({ queryKey: ["get"] });
  };
  return (
    <ConfirmDialog
      title={hasSeat ? t`Free the seat of ${name}?` : t`Remove ${name}?`}
      consequence={
        device.status === "Pending"
          ? t`This withdraws the request for approval. It does not count against your limit.`
          : `${hasSeat ? freeOf(device) : t`The application stops working on it.`} ${costOf(license)}`
      }
      action={hasSeat ? t`Free seat` : t`Remove`}
      onConfirm={free}
      onClose={onClose}
    />
  );
}

type FileKind = "plain" | "protected" | "base";

interface PortalLicenseFileProps {
  license: Schemas["PortalLicense"];
  /** Path of the license in the API. */
  path: string;
}

/** Download of license.bin, for machines without a network connection. */
export function PortalLicenseFile({ license, path }: PortalLicenseFileProps) {
  const isView = usePortalView() !== null;
  const vendor = license.issuer ?? license.institutionName;
  const takesSeat = license.type === "Concurrent" && license.activationMode === "Offline";
  const [hardwareId, setHardwareId] = useState("");
  const [busy, setBusy] = useState<FileKind | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [lacksId, setLacksId] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  if (license.status !== "Active") return null;
  const take = async (kind: FileKind) => {
    if (takesSeat && kind !== "base" && hardwareId.trim() === "") {
      setLacksId(true);
      field.current?.focus();
      return;
    }
    setBusy(kind);
    setError(null);
    try {
      const query = new URLSearchParams({
        ...(kind === "protected" && { protected: "true" }),
        ...(kind === "base" && { byCode: "true" }),
        ...(kind !== "base" && takesSeat && { hardwareId: hardwareId.trim() }),
      });
      await download(`${path}/file?${query.toString()}`);
    } catch (error) {
      setError(error);
    }
    setBusy(null);
  };
  const disabled = isView || busy !== null;
  return (
    <Section
      title={t`License file`}
      subtitle={
        license.activationMode === "Offline"
          ? t`Put license.bin next to the application to use it without a network connection.`
          : t`The application checks with the server of ${vendor} and uses this file when the server cannot be reached.`
      }
    >
      <Column gap="m" align="start">
        {isView && <Muted>{t`Read only: the customer downloads the file here.`}</Muted>}
        {takesSeat && (
          <TextField
            fullWidth
            label={t`Hardware ID`}
            value={hardwareId}
            inputRef={field}
            error={lacksId}
            onChange={(event) => {
              setHardwareId(event.target.value);
              setLacksId(false);
            }}
            helperText={
              lacksId
                ? t`Enter the hardware ID of the device.`
                : t`The file works only on the device with this hardware ID, which takes one of your seats and keeps it at least until the file ends.`
            }
            autoComplete="off"
          />
        )}
        <Button
          variant="outlined"
          startIcon={<DownloadIcon />}
          loading={busy === "plain"}
          disabled={disabled}
          onClick={() => void take("plain")}
        >
          {t`Download license.bin`}
        </Button>
        <details className={styles.checksum}>
          <summary>{t`Encrypted file`}</summary>
          <Column gap="s" align="start">
            <Muted>
              {t`The encrypted file can be opened only with the license key. Use it if the application asks for it.`}
            </Muted>
            <Button
              variant="outlined"
              startIcon={<LockIcon />}
              loading={busy === "protected"}
              disabled={disabled}
              onClick={() => void take("protected")}
            >
              {t`Download encrypted`}
            </Button>
          </Column>
        </details>
        {error !== null && <ProblemAlert error={error} />}
      </Column>
      {license.offlineActivation !== "Off" && (
        <OfflineMachine
          licenseKey={license.licenseKey}
          disabled={isView || busy !== null}
          onBaseFile={() => void take("base")}
        />
      )}
    </Section>
  );
}

interface OfflineMachineProps {
  licenseKey: string;
  disabled: boolean;
  onBaseFile: () => void;
}

/** The way to the Offline desk, and the file that a code is typed for. */
function OfflineMachine({ licenseKey, disabled, onBaseFile }: OfflineMachineProps) {
  const vendor = useVendor();
  // Of a vendor that has set nothing, the desk finds nothing to show.
  const hasLook = vendor?.logoUrl != null || vendor?.color != null;
  return (
    <Column gap="s" align="start" className={styles.part}>
      <Typography variant="subtitle1" component="h3">
        {t`Machine without a network`}
      </Typography>
      <Muted>
        {t`The application on the machine makes a request, as a file or a QR code. The Offline desk answers it.`}
      </Muted>
      <Row gap="s" wraps>
        <ButtonLink
          to={vendor && hasLook ? `/o?vendor=${vendor.institutionId}` : "/o"}
          state={{ licenseKey }}
          variant="outlined"
        >
          {t`Open Offline desk`}
        </ButtonLink>
        <Button startIcon={<DownloadIcon />} disabled={disabled} onClick={onBaseFile}>
          {t`Download base file`}
        </Button>
      </Row>
      <Muted>
        {t`With the base file on the machine, the answer can also be a code to type. Alone, the file is not valid.`}
      </Muted>
    </Column>
  );
}
