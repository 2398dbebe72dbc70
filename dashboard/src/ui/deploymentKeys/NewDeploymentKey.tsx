import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { EnrollmentKeyRequest } from "../../api/checks";
import { request } from "../../api/client";
import type { Schemas } from "../../api/types";
import { FormDialog } from "../form/FormDialog";
import { FormField } from "../form/FormField";
import { useApiForm } from "../form/useApiForm";
import { IpListField } from "../IpListField";
import { linesOf } from "../ipRanges";

interface NewDeploymentKeyProps {
  /** Path of the license in the API. */
  path: string;
  onMade: (key: Schemas["IssuedEnrollmentKey"]) => void;
  onClose: () => void;
}

/** Creates a deployment key of a license. */
export function NewDeploymentKey({ path, onMade, onClose }: NewDeploymentKeyProps) {
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
      <FormField
        {...field("expiresAt")}
        type="date"
        label={t`Expires`}
        helperText={t`It works until the end of that day. Leave empty for never.`}
      />
      <IpListField {...field("ipAllowList")} label={t`Allowed addresses`} />
    </FormDialog>
  );
}
