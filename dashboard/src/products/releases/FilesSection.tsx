import { t } from "@lingui/core/macro";
import { Column } from "../../ui/layout/layout";
import { Section } from "../../ui/Section";
import { UnsavedGuard } from "../../ui/UnsavedGuard";
import { FileTable } from "./FileTable";
import type { Release } from "./release";
import { UploadArea } from "./UploadArea";
import { UploadRow } from "./UploadRow";
import { useUploads } from "./useUploads";
import { useRefresh } from "../../ui/useRefresh";

/** The files of a release, with uploads. */
export function FilesSection({ release, manage }: { release: Release; manage: boolean }) {
  const refresh = useRefresh();
  const { uploads, isBusy, add, cancel, dismiss } = useUploads(release.id, refresh);
  return (
    <Section title={t`Files`} help="releases">
      <Column gap="l">
        <FileTable releaseId={release.id} manage={manage} />
        {manage && <UploadArea onFiles={add} />}
        {uploads.length > 0 && (
          <Column as="ul" aria-label={t`Uploads`}>
            {uploads.map((item) => (
              <UploadRow
                key={item.id}
                upload={item}
                onCancel={() => cancel(item)}
                onDismiss={() => dismiss(item)}
              />
            ))}
          </Column>
        )}
      </Column>
      <UnsavedGuard
        when={isBusy}
        title={t`Leave while files are uploading?`}
        consequence={t`Unfinished uploads are canceled when you leave.`}
        action={t`Leave and cancel`}
      />
    </Section>
  );
}
