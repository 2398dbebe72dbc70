import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
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
      <Stack sx={{ gap: 2.5 }}>
        <FileTable releaseId={release.id} manage={manage} />
        {manage && <UploadArea onFiles={add} />}
        {uploads.length > 0 && (
          <Box component="ul" aria-label={t`Uploads`} sx={{ listStyle: "none", m: 0, p: 0 }}>
            {uploads.map((item) => (
              <UploadRow
                key={item.id}
                upload={item}
                onCancel={() => {
                  cancel(item);
                }}
                onDismiss={() => {
                  dismiss(item);
                }}
              />
            ))}
          </Box>
        )}
      </Stack>
      <UnsavedGuard
        when={isBusy}
        title={t`Leave while files are uploading?`}
        consequence={t`Unfinished uploads are canceled when you leave.`}
        action={t`Leave and cancel`}
      />
    </Section>
  );
}
