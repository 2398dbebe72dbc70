import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import { useWatch } from "react-hook-form";
import { changed } from "../../api/changed";
import { ReleaseRequest } from "../../api/checks";
import { api } from "../../api/client";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { Row } from "../../ui/layout/layout";
import { MarkdownField } from "../../ui/MarkdownField";
import { ChannelField } from "../parts/ChannelField";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { nameOf, type Release } from "./release";

interface ReleaseDraft {
  version: string;
  channel: string;
  notes: string;
  /** Of a new release; that of another is changed by its buttons. */
  status: "Draft" | "Published";
}

const draftOf = (release: Release | undefined): ReleaseDraft => ({
  version: release?.version ?? "",
  channel: release?.channel ?? "Stable",
  notes: release?.notes ?? "",
  status: "Draft",
});

const bodyOf = ({ version, channel, notes }: ReleaseDraft) => ({
  version: version.trim(),
  channel: channel.trim(),
  notes: notes.trim() ? notes : null,
});

interface ReleaseDialogProps {
  productId: string;
  /** The release to edit; omit it to create one. */
  release?: Release;
  onClose: () => void;
}

/** Creates a release or edits its version, channel and notes. */
export function ReleaseDialog({ productId, release, onClose }: ReleaseDialogProps) {
  const notifyChanged = useNotifyChanged();
  const save = async (draft: ReleaseDraft) => {
    const body = bodyOf(draft);
    if (release)
      await api.PUT("/api/releases/{releaseId}", {
        params: { path: { releaseId: release.id } },
        body: changed(body, release),
      });
    else
      await api.POST("/api/products/{productId}/releases", {
        params: { path: { productId } },
        body: { ...body, status: draft.status },
      });
    notifyChanged(
      release ? t`Release ${body.version} updated.` : t`Release ${body.version} added.`,
    );
  };
  const form = useApiForm({ values: draftOf(release), checks: ReleaseRequest, send: save });
  const { control, field } = form;
  const status = useWatch({ control, name: "status" });
  return (
    <FormDialog
      form={form}
      title={release ? t`Edit release ${nameOf(release)}` : t`Add release`}
      action={release ? t`Save` : t`Add release`}
      onClose={onClose}
    >
      <Row gap="l" align="stretch" folds>
        <FormField
          {...field("version")}
          label={t`Version`}
          autoFocus
          helperText={t`For example 1.4.0. Versions must be comparable.`}
        />
        <ChannelField {...field("channel")} />
      </Row>
      <MarkdownField
        {...field("notes")}
        label={t`Notes`}
        helperText={t`Delivered to applications with the update.`}
      />
      {!release && (
        <FormField
          {...field("status")}
          select
          label={t`Status`}
          helperText={
            status === "Draft"
              ? t`A draft is not offered to anyone. Add files, then publish it.`
              : t`Applications on this channel are offered it immediately, even before it has files.`
          }
        >
          <MenuItem value="Draft">{t`Draft`}</MenuItem>
          <MenuItem value="Published">{t`Published`}</MenuItem>
        </FormField>
      )}
    </FormDialog>
  );
}
