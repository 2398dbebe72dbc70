import { plural, t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../../api/client";
import type { Schemas } from "../../api/types";
import { AddButton } from "../AddButton";
import { EmptyState } from "../EmptyState";
import { date, number, relative } from "../formats";
import { Item, ItemList } from "../ItemList";
import { ProblemAlert } from "../ProblemAlert";
import { SecretDialog } from "../SecretDialog";
import { Section } from "../Section";
import { RowMenu } from "../table/RowMenu";
import { useActions } from "../useActions";
import { EnrollmentKeyRequest } from "../../api/checks";
import { DateField } from "../dates/DateField";
import { FormDialog } from "../form/FormDialog";
import { FormField } from "../form/FormField";
import { useApiForm } from "../form/useApiForm";
import { IpListField } from "../IpListField";
import { linesOf } from "../ipRanges";

type EnrollmentKey = Schemas["EnrollmentKey"];

interface DeploymentKeysProps {
  /** Path of the license in the API: of an operator, in the portal, or among the received ones. */
  path: string;
}

/** The keys that enroll devices of a Concurrent license without its license key. */
export function DeploymentKeys({ path }: DeploymentKeysProps) {
  const [isNew, setNew] = useState(false);
  const [issued, setIssued] = useState<Schemas["IssuedEnrollmentKey"] | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["get", path, "enrollment-keys"],
    queryFn: () =>
      request<Schemas["EnrollmentKeyList"]>("GET", `${path}/enrollment-keys?pageSize=100`),
  });
  const actions = useKeyActions(path);
  return (
    <Section
      title={t`Deployment keys`}
      subtitle={t`For images, containers and device management: a device that enrolls with one takes a seat, and never sees the license key.`}
      help="activations-and-sessions"
      actions={<AddButton onClick={() => setNew(true)}>{t`New deployment key`}</AddButton>}
    >
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
      {!error && !data && <Skeleton variant="rounded" height={64} />}
      {data?.items.length === 0 && (
        <EmptyState title={t`No deployment keys yet`}>
          {t`Create one to roll out many devices. The application reads it from its installer, or from LICET_ENROLLMENT_KEY.`}
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <ItemList label={t`Deployment keys`}>
          {data.items.map((key) => (
            <Item
              key={key.id}
              title={key.name}
              detail={detailOf(key)}
              end={<RowMenu name={key.name} acts={actions.of(key)} />}
            />
          ))}
        </ItemList>
      )}
      {actions.dialog}
      {isNew && <NewDeploymentKey path={path} onMade={setIssued} onClose={() => setNew(false)} />}
      {issued && (
        <SecretDialog
          title={t`Secret for ${{ name: issued.name }}`}
          label={t`Deployment key`}
          secret={issued.secret}
          fileName="deployment-key.txt"
          onClose={() => setIssued(null)}
        />
      )}
    </Section>
  );
}

/** What the key was used for, and when it ends. */
function detailOf({ enrolledDevices, maxDevices, lastUsedAt, expiresAt }: EnrollmentKey): string {
  const count = number(enrolledDevices);
  const used =
    maxDevices === null
      ? plural(enrolledDevices, {
          one: `${count} device enrolled`,
          other: `${count} devices enrolled`,
        })
      : t`${count} of ${{ most: number(maxDevices) }} devices enrolled`;
  return [
    used,
    lastUsedAt === null ? t`Never used` : t`Last used ${{ when: relative(lastUsedAt) }}`,
    expiresAt !== null &&
      (Date.parse(expiresAt) > Date.now()
        ? t`Expires on ${{ day: date(expiresAt) }}`
        : t`Expired on ${{ day: date(expiresAt) }}`),
  ]
    .filter(Boolean)
    .join(" · ");
}

function useKeyActions(path: string) {
  const queryClient = useQueryClient();
  return useActions(({ id, name }: EnrollmentKey) => [
    {
      label: t`Delete`,
      isGrave: true,
      confirm: {
        title: t`Delete deployment key`,
        danger: true,
        consequence: t`${name} enrolls no more devices. Those that it enrolled keep their seats and go on working.`,
        onConfirm: async () => {
          await request("DELETE", `${path}/enrollment-keys/${id}`);
          await queryClient.invalidateQueries({ queryKey: ["get", path, "enrollment-keys"] });
        },
        done: t`Deployment key ${name} deleted.`,
      },
    },
  ]);
}

interface NewDeploymentKeyProps {
  /** Path of the license in the API. */
  path: string;
  onMade: (key: Schemas["IssuedEnrollmentKey"]) => void;
  onClose: () => void;
}

/** Creates a deployment key of a license. */
function NewDeploymentKey({ path, onMade, onClose }: NewDeploymentKeyProps) {
  const queryClient = useQueryClient();
  const form = useApiForm({
    values: { name: "", expiresAt: "", maxDevices: "", ipAllowList: "" },
    checks: EnrollmentKeyRequest,
    send: async (draft) => {
      const body: Schemas["EnrollmentKeyRequest"] = {
        name: draft.name,
        expiresAt: draft.expiresAt || null,
        maxDevices: draft.maxDevices ? Number(draft.maxDevices) : null,
        ipAllowList: linesOf(draft.ipAllowList),
      };
      onMade(
        await request<Schemas["IssuedEnrollmentKey"]>("POST", `${path}/enrollment-keys`, body),
      );
      await queryClient.invalidateQueries({ queryKey: ["get", path, "enrollment-keys"] });
    },
  });
  const { field } = form;
  return (
    <FormDialog
      form={form}
      title={t`New deployment key`}
      action={t`Create deployment key`}
      onClose={onClose}
    >
      <FormField
        {...field("name")}
        autoFocus
        helperText={t`Where it is used, for example Lab image.`}
        input={{ dir: "auto" }}
      />
      <FormField
        {...field("maxDevices")}
        type="number"
        label={t`Devices at most`}
        helperText={t`Counts every device that takes a seat with it. Leave empty where containers come and go: the seats are the limit.`}
      />
      <DateField
        {...field("expiresAt")}
        label={t`Expires`}
        helperText={t`It works until the end of that day. Leave empty for never.`}
      />
      <IpListField {...field("ipAllowList")} label={t`Allowed addresses`} />
    </FormDialog>
  );
}
