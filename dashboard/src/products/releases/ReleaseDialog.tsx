import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { api } from "../../api/client";
import { changed } from "../../api/changed";
import { FormDialog } from "../../ui/FormDialog";
import { FormField } from "../../ui/Form";
import { MarkdownEditor } from "../../ui/MarkdownField";
import { ChannelField } from "../parts/ChannelField";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { nameOf, type Release } from "./release";

interface ReleaseDialogProps {
  productId: string;
  /** The release to edit; omit it to create one. */
  release?: Release;
  onClose: () => void;
}

const draftOf = (release?: Release) => ({
  version: release?.version ?? "",
  channel: release?.channel ?? "Stable",
  notes: release?.notes ?? "",
});

/** Creates a release or edits its version, channel and notes. */
export function ReleaseDialog({ productId, release, onClose }: ReleaseDialogProps) {
  const notifyChanged = useNotifyChanged();
  const [draft, setDraft] = useState(draftOf(release));
  const [status, setStatus] = useState<"Draft" | "Published">("Draft");
  const set = (change: Partial<typeof draft>) => {
    setDraft((now) => ({ ...now, ...change }));
  };
  const save = async () => {
    const given = {
      version: draft.version.trim(),
      channel: draft.channel.trim(),
      notes: draft.notes.trim() ? draft.notes : null,
    };
    if (release) {
      await api.PUT("/api/releases/{releaseId}", {
        params: { path: { releaseId: release.id } },
        body: changed(given, release),
      });
      notifyChanged(t`Release ${given.version} updated.`);
    } else {
      await api.POST("/api/products/{productId}/releases", {
        params: { path: { productId } },
        body: { ...given, status },
      });
      notifyChanged(t`Release ${given.version} added.`);
    }
  };
  return (
    <FormDialog
      title={release ? t`Edit release ${nameOf(release)}` : t`Add release`}
      action={release ? t`Save` : t`Add release`}
      onSubmit={save}
      onClose={onClose}
    >
      <Stack direction={{ xs: "column", sm: "row" }} sx={{ gap: 2 }}>
        <FormField
          name="version"
          label={t`Version`}
          required
          autoFocus
          slotProps={{ htmlInput: { maxLength: 100 } }}
          value={draft.version}
          onValue={(version) => {
            set({ version });
          }}
          helperText={t`For example 1.4.0. Versions must be comparable.`}
        />
        <ChannelField
          name="channel"
          value={draft.channel}
          onValue={(channel) => {
            set({ channel });
          }}
        />
      </Stack>
      <MarkdownEditor
        message={undefined}
        name="notes"
        label={t`Notes`}
        value={draft.notes}
        onValue={(notes) => {
          set({ notes });
        }}
        helperText={t`Delivered to applications with the update.`}
      />
      {!release && (
        <TextField
          select
          fullWidth
          label={t`Status`}
          value={status}
          onChange={(event) => {
            setStatus(event.target.value === "Published" ? "Published" : "Draft");
          }}
          helperText={
            status === "Draft"
              ? t`A draft is not offered to anyone. Add files, then publish it.`
              : t`Applications on this channel are offered it immediately, even before it has files.`
          }
        >
          <MenuItem value="Draft">{t`Draft`}</MenuItem>
          <MenuItem value="Published">{t`Published`}</MenuItem>
        </TextField>
      )}
    </FormDialog>
  );
}
