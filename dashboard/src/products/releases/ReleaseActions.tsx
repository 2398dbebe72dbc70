import Button from "@mui/material/Button";
import { useQueryClient } from "@tanstack/react-query";
import { useNotify } from "ra-core";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { UNGUARDED } from "../../ui/UnsavedGuard";
import { useChanged } from "../../ui/useChanged";
import { nameOf, type Release } from "./release";
import { ReleaseDialog } from "./ReleaseDialog";

type Asked = "edit" | "publish" | "yank" | "delete" | null;

const changeStatus = (release: Release, status: "Published" | "Yanked") =>
  api.PUT("/api/releases/{releaseId}", {
    params: { path: { releaseId: release.id } },
    body: { status },
  });

/** Edit, publish, yank and delete a release. */
export function ReleaseActions({ release }: { release: Release }) {
  const [asked, setAsked] = useState<Asked>(null);
  const tell = useChanged();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const close = () => {
    setAsked(null);
  };
  const button = (what: NonNullable<Asked>, label: string, color?: "error" | "warning") => (
    <Button
      size="small"
      variant={what === "publish" ? "contained" : "outlined"}
      {...(color && { color })}
      onClick={() => {
        setAsked(what);
      }}
    >
      {label}
    </Button>
  );
  const name = nameOf(release);
  return (
    <>
      {release.status !== "Published" &&
        button("publish", release.status === "Yanked" ? "Publish again" : "Publish")}
      {button("edit", "Edit")}
      {release.status === "Published" && button("yank", "Yank", "warning")}
      {button("delete", "Delete", "error")}
      {asked === "edit" && (
        <ReleaseDialog productId={release.productId} release={release} onClose={close} />
      )}
      {asked === "publish" && (
        <ConfirmDialog
          title={`Publish release ${name}`}
          action="Publish"
          consequence={`Applications that follow the channel ${release.channel} are offered it at their next check for updates, and new licenses may be bound to it. It cannot become a draft again, but it can be yanked.`}
          onConfirm={async () => {
            await changeStatus(release, "Published");
            tell(`Release ${name} is published.`);
          }}
          onClose={close}
        />
      )}
      {asked === "yank" && (
        <ConfirmDialog
          title={`Yank release ${name}`}
          action="Yank release"
          danger
          consequence="No application is offered it any more, and addresses for its downloads that were given out stop working at once. Copies that are installed go on, and licenses that are bound to it stay valid. You can publish it again."
          onConfirm={async () => {
            await changeStatus(release, "Yanked");
            tell(`Release ${name} is yanked.`);
          }}
          onClose={close}
        />
      )}
      {asked === "delete" && (
        <ConfirmDialog
          title={`Delete release ${name}`}
          action="Delete release"
          danger
          consequence="The release and its files are deleted for good. A release that licenses are bound to is not deleted; yank it instead."
          onConfirm={async () => {
            await api.DELETE("/api/releases/{releaseId}", {
              params: { path: { releaseId: release.id } },
            });
            // A row of the list before would ask for the files of what there is no more.
            queryClient.removeQueries({ queryKey: [`products/${release.productId}/releases`] });
            await navigate(`/products/${release.productId}/releases`, {
              replace: true,
              state: UNGUARDED,
            });
            notify(`Release ${name} was deleted.`, { type: "success" });
          }}
          onClose={close}
        />
      )}
    </>
  );
}
