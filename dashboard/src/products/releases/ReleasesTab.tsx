import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { Route, Routes, useNavigate, useParams } from "react-router";
import { changed, chosen, fieldsOf, OPTIONAL_MARKDOWN, TEXT, type DraftOf } from "../../api/fields";
import { ReleaseRequest } from "../../api/checks";
import { $api, api, at } from "../../api/client";
import { AddButton } from "../../ui/AddButton";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { DescriptionList } from "../../ui/DescriptionList";
import { EmptyState } from "../../ui/EmptyState";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { dateTime, number } from "../../ui/formats";
import { ArrowBackIcon } from "../../ui/icons";
import { Column, Row } from "../../ui/layout/layout";
import { DataList } from "../../ui/list/DataList";
import { listKey } from "../../ui/list/useList";
import { Markdown } from "../../ui/Markdown";
import { MarkdownField } from "../../ui/MarkdownField";
import { PageLink } from "../../ui/PageLink";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section, TabHeading } from "../../ui/Section";
import { StatusChip } from "../../ui/StatusChip";
import { Table } from "../../ui/table/Table";
import { notify } from "../../ui/toasts/toasts";
import { UNGUARDED } from "../../ui/UnsavedGuard";
import { ChannelField } from "../parts/fields";
import type { TabProps } from "../parts/TabProps";
import { FilesSection } from "./FilesSection";
import { nameOf, type Release } from "./release";
import styles from "./releases.module.css";

/** The releases of a product, with a nested route for each. */
export const ReleasesTab = (props: TabProps) => (
  <Routes>
    <Route index element={<ReleaseList {...props} />} />
    <Route path=":releaseId" element={<ReleaseDetail {...props} />} />
  </Routes>
);

function FileCount({ releaseId }: { releaseId: string }) {
  const { data } = $api.useQuery("get", "/api/releases/{releaseId}/files", {
    params: { path: { releaseId }, query: { pageSize: 1 } },
  });
  return data ? number(data.totalCount ?? data.items.length) : <Skeleton width="2ch" />;
}

function ReleaseList({ product, manage }: TabProps) {
  const add = manage && (
    <AddButton
      dialog={(onClose) => <ReleaseDialog productId={product.id} onClose={onClose} />}
    >{t`Add release`}</AddButton>
  );
  const pathOf = (release: Release) => `/products/${product.id}/releases/${release.id}`;
  return (
    <Column gap="s">
      <TabHeading title={t`Releases`} help="releases" action={add}>
        {t`Versions of the product. Applications that check for updates are offered the newest published release of their channel.`}
      </TabHeading>
      <DataList
        path={`products/${product.id}/releases`}
        sort="-createdAt"
        pageSize={10}
        hasCsv
        empty={
          <EmptyState title={t`No releases yet`}>
            {t`You need a published release to issue licenses.`}
          </EmptyState>
        }
      >
        <Table<Release>
          label={t`Releases`}
          link={pathOf}
          columns={[
            {
              key: "version",
              label: t`Version`,
              sort: true,
              cell: (release) => (
                <PageLink to={pathOf(release)} underline="hover" className={styles.version}>
                  {release.version}
                </PageLink>
              ),
            },
            { key: "channel", label: t`Channel`, sort: true },
            { key: "status", label: t`Status`, sort: true, as: "status" },
            { key: "publishedAt", label: t`Published`, sort: true, as: "dateTime" },
            {
              key: "Files",
              label: t`Files`,
              align: "end",
              cell: (release) => <FileCount releaseId={release.id} />,
            },
          ]}
        />
      </DataList>
    </Column>
  );
}

const ReleaseFacts = ({ release, manage }: { release: Release; manage: boolean }) => (
  <Section
    title={t`Release ${nameOf(release)}`}
    help="releases"
    actions={manage && <ReleaseActions release={release} />}
  >
    <DescriptionList
      facts={[
        [t`Status`, <StatusChip key="status" status={release.status} />],
        [t`Channel`, release.channel],
        [t`Added`, dateTime(release.createdAt)],
        [
          t`First published`,
          release.publishedAt ? dateTime(release.publishedAt) : t`Not published yet`,
        ],
        [t`Who may use it`, COVERAGE_WORDS[release.coverage]],
      ]}
    />
  </Section>
);

/** A release with its notes and files. */
function ReleaseDetail({ product, manage }: TabProps) {
  const { releaseId = "" } = useParams();
  const { data: release, error } = $api.useQuery(
    "get",
    "/api/releases/{releaseId}",
    at({ releaseId }),
  );
  return (
    <Column gap="l">
      <PageLink
        to={`/products/${product.id}/releases`}
        underline="hover"
        variant="body2"
        className={styles.back}
      >
        <ArrowBackIcon aria-hidden />
        {t`All releases`}
      </PageLink>
      {error && <ProblemAlert error={error} />}
      {!release && !error && (
        <>
          <Skeleton variant="rounded" height={150} />
          <Skeleton variant="rounded" height={260} />
        </>
      )}
      {release && (
        <>
          <ReleaseFacts release={release} manage={manage} />
          <Section title={t`Notes`}>
            {release.notes ? (
              <Markdown>{release.notes}</Markdown>
            ) : (
              <Typography color="textSecondary">
                {t`None. Release notes are shown to users with the update.`}
              </Typography>
            )}
          </Section>
          <FilesSection release={release} manage={manage} />
        </>
      )}
    </Column>
  );
}

type Asked = "edit" | "publish" | "yank" | "delete" | null;

const changeStatus = (release: Release, status: "Published" | "Yanked") =>
  api.PUT("/api/releases/{releaseId}", { ...at({ releaseId: release.id }), body: { status } });

/** Buttons to edit, publish, yank and delete a release. */
function ReleaseActions({ release }: { release: Release }) {
  const [asked, setAsked] = useState<Asked>(null);
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
          onConfirm={() => changeStatus(release, "Published")}
          done={t`Release ${name} published.`}
          onClose={close}
        />
      )}
      {asked === "yank" && (
        <ConfirmDialog
          title={t`Yank release ${name}`}
          action={t`Yank release`}
          danger
          consequence={t`Applications are no longer offered it, and existing download links stop working immediately. Installed copies keep running, and licenses issued for it stay valid. You can publish it again.`}
          onConfirm={() => changeStatus(release, "Yanked")}
          done={t`Release ${name} yanked.`}
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
            await api.DELETE("/api/releases/{releaseId}", at({ releaseId: release.id }));
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

const COVERAGE_WORDS: Record<Release["coverage"], string> = {
  Licensed: t`Licenses whose maintenance includes it`,
  Everyone: t`Everyone, also after the end of the maintenance`,
};

const FIELDS = fieldsOf({
  version: TEXT,
  channel: { ...TEXT, read: (channel?: string) => channel ?? "Stable" },
  notes: OPTIONAL_MARKDOWN,
  coverage: chosen<Release["coverage"]>("Licensed"),
});

interface ReleaseDraft extends DraftOf<typeof FIELDS> {
  /** Of a new release; that of another is changed by its buttons. */
  status: "Draft" | "Published";
}

interface ReleaseDialogProps {
  productId: string;
  /** The release to edit; omit it to create one. */
  release?: Release;
  onClose: () => void;
}

/** Creates a release or edits its version, channel and notes. */
function ReleaseDialog({ productId, release, onClose }: ReleaseDialogProps) {
  const form = useApiForm<ReleaseDraft>({
    values: { ...FIELDS.draftOf(release), status: "Draft" },
    checks: ReleaseRequest,
    send: (draft) => {
      const body = FIELDS.bodyOf(draft);
      if (!release)
        return api.POST("/api/products/{productId}/releases", {
          ...at({ productId }),
          body: { ...body, status: draft.status },
        });
      const path = at({ releaseId: release.id });
      return api.PUT("/api/releases/{releaseId}", { ...path, body: changed(body, release) });
    },
    done: ({ version }) =>
      release ? t`Release ${{ version }} updated.` : t`Release ${{ version }} added.`,
  });
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
      <FormField
        {...field("coverage")}
        helperText={t`A security fix may go to everyone.`}
        options={Object.entries(COVERAGE_WORDS)}
      />
      {!release && (
        <FormField
          {...field("status")}
          helperText={
            status === "Draft"
              ? t`A draft is not offered to anyone. Add files, then publish it.`
              : t`Applications on this channel are offered it immediately, even before it has files.`
          }
          options={[
            ["Draft", t`Draft`],
            ["Published", t`Published`],
          ]}
        />
      )}
    </FormDialog>
  );
}
