import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { $api, at } from "../api/client";
import type { Schemas } from "../api/types";
import { CopyField } from "../ui/CopyField";
import { bytes, date } from "../ui/formats";
import { DownloadIcon } from "../ui/icons";
import { words } from "../ui/labels";
import { Column, Row } from "../ui/layout/layout";
import { Muted } from "../ui/Muted";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import styles from "./portal.module.css";
import { OWN_SYSTEM, systemOf } from "./systems";

type Release = Schemas["PortalDownload"];
type File = Release["files"][number];

/** Download URLs expire after 15 minutes, so refetch them before that. */
const REFRESH_MS = 10 * 60_000;

/** Files of the published releases the license covers, newest first; nothing if there are none. */
export function PortalDownloads({ license }: { license: Schemas["PortalLicense"] }) {
  const { data, error, refetch } = $api.useQuery(
    "get",
    "/api/portal/licenses/{licenseId}/downloads",
    at({ licenseId: license.id }),
    { refetchInterval: REFRESH_MS },
  );
  const releases = data?.items.filter((release) => release.files.length > 0) ?? [];
  const [newest, ...earlier] = releases;
  if (data && !newest) return null;
  return (
    <Section title={t`Downloads`}>
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
      {!error && !data && <Skeleton variant="rounded" height={64} />}
      {newest && (
        <Column as="ul">
          <ReleaseFiles release={newest} isNewest />
        </Column>
      )}
      {earlier.length > 0 && (
        <details className={styles.folded}>
          <summary>
            {plural(earlier.length, { one: "# earlier version", other: "# earlier versions" })}
          </summary>
          <Column as="ul" gap="l">
            {earlier.map((release) => (
              <ReleaseFiles key={release.releaseId} release={release} />
            ))}
          </Column>
        </details>
      )}
    </Section>
  );
}

/** Whether a file runs on the computer that the page is shown on, as far as that is known. */
const isForHere = ({ platform }: File): boolean => {
  const system = systemOf(platform);
  return system === null || system === OWN_SYSTEM;
};

interface ReleaseFilesProps {
  release: Release;
  /** Whether its files for this computer are what most come for. */
  isNewest?: boolean;
}

/** A release: its files for this computer, and those for others folded. */
function ReleaseFiles({ release, isNewest = false }: ReleaseFilesProps) {
  const here = release.files.filter(isForHere);
  const shown = here.length > 0 ? here : release.files;
  const folded = here.length > 0 ? release.files.filter((file) => !isForHere(file)) : [];
  return (
    <li>
      <Row gap="s" wraps>
        <Typography variant="subtitle1" component="h3">
          {t`Version ${{ version: release.version }}`}
        </Typography>
        {release.channel !== "Stable" && (
          <StatusChip status={release.channel} label={words(release.channel)} tone="news" />
        )}
        {release.publishedAt && <Muted>{date(release.publishedAt)}</Muted>}
      </Row>
      {shown.map((file) => (
        <FileRow key={`${file.platform} ${file.name}`} file={file} isFirst={isNewest} />
      ))}
      {folded.length > 0 && (
        <details className={styles.folded}>
          <summary>
            {plural(folded.length, {
              one: "# file for another system",
              other: "# files for other systems",
            })}
          </summary>
          {folded.map((file) => (
            <FileRow key={`${file.platform} ${file.name}`} file={file} />
          ))}
        </details>
      )}
    </li>
  );
}

interface FileRowProps {
  file: File;
  /** Whether it is what this page is opened for. */
  isFirst?: boolean;
}

function FileRow({ file, isFirst = false }: FileRowProps) {
  const system = systemOf(file.platform);
  const action = system === null ? t`Download` : t`Download for ${system}`;
  return (
    <div className={styles.file}>
      <Row gap="l" wraps>
        <div className={styles.fileFacts}>
          <Typography>{file.name}</Typography>
          <Muted>{[file.platform, bytes(file.sizeBytes)].filter(Boolean).join(" · ")}</Muted>
        </div>
        <Button
          component="a"
          href={file.downloadUrl}
          download
          variant={isFirst ? "contained" : "outlined"}
          startIcon={<DownloadIcon />}
          aria-label={`${action}: ${file.name}`}
        >
          {action}
        </Button>
      </Row>
      <details className={styles.checksum}>
        <summary>{t`Show checksum`}</summary>
        <CopyField label="SHA-256" value={file.sha256} />
      </details>
    </div>
  );
}
