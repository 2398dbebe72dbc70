import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { UNGUARDED } from "../../ui/UnsavedGuard";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { nameOf, type Release } from "./release";
import { ReleaseDialog } from "./ReleaseDialog";
import { notify } from "../../ui/toasts/toasts";
import { listKey } from "../../ui/list/useList";

type Asked = "edit" | "publish" | "yank" | "delete" | null;

const changeStatus = (release: Release, status: "Published" | "Yanked") =>
  api.PUT("/api/releases/{releaseId}", {
    params: { path: { releaseId: release.id } },
    body: { status },
  });

/** Buttons to edit, publish, yank and delete a release. */
export function ReleaseActions({ release }: { release: Release }) {
  const [asked, setAsked] = useState<Asked>(null);
  const notifyChanged = useNotifyChanged();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const close = () => setAsked(null);
  const button = (what: NonNullable<Asked>, label: string, color?: "error" | "warning") => (
    <Button
      size="small"
      variant={what === "publish" ? "contained" : "outlined"}
      {...(color && { color })}
      onClick={() => setAsked(what)}
    >
      {label}
    </Button>
  );
  const name = nameOf(release);
  return (
    <>
      {release.status !== "Published" &&
        button("publish", release.status === "Yanked" ? t`Publish again` : t`Publish`)}
      {button("edit", t`Edit`)}
      {release.status === "Published" && button("yank", t`Yank`, "warning")}
      {button("delete", t`Delete`, "error")}
      {asked === "edit" && (
        <ReleaseDialog productId={release.productId} release={release} onClose={close} />
      )}
      {asked === "publish" && (
        <ConfirmDialog
          title={t`Publish release ${name}`}
          action={t`Publish`}
          consequence={t`Applications on the ${release.channel} channel are offered it at their next update check, and new licenses can be issued for it. It cannot become a draft again, but you can yank it.`}
          onConfirm={async () => {
            await changeStatus(release, "Published");
            notifyChanged(t`Release ${name} published.`);
          }}
          onClose={close}
        />
      )}
      {asked === "yank" && (
        <ConfirmDialog
          title={t`Yank release ${name}`}
          action={t`Yank release`}
          danger
          consequence={t`Applications are no longer offered it, and existing download links stop working immediately. Installed copies keep running, and licenses issued for it stay valid. You can publish it again.`}
          onConfirm={async () => {
            await changeStatus(release, "Yanked");
            notifyChanged(t`Release ${name} yanked.`);
          }}
          onClose={close}
        />
      )}
      {asked === "delete" && (
        <ConfirmDialog
          title={t`Delete release ${name}`}
          action={t`Delete release`}
          danger
          consequence={t`This permanently deletes the release and its files. A release that has licenses cannot be deleted; yank it instead.`}
          onConfirm={async () => {
            await api.DELETE("/api/releases/{releaseId}", {
              params: { path: { releaseId: release.id } },
            });
            // Cached list rows would request the files of the deleted release.
            queryClient.removeQueries({
              queryKey: listKey(`products/${release.productId}/releases`),
            });
            await navigate(`/products/${release.productId}/releases`, {
              replace: true,
              state: UNGUARDED,
            });
            notify(t`Release ${name} deleted.`, { type: "success" });
          }}
          onClose={close}
        />
      )}
    </>
  );
}
