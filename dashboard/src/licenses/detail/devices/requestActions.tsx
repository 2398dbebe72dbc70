import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { api, at } from "../../../api/client";
import { textOrNull } from "../../../api/fields";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { nameOf } from "../../../ui/devices/deviceActions";
import { useApiForm } from "../../../ui/form/useApiForm";
import type { ListedRequest } from "../../../ui/offline/wire";
import { type Action, useActions } from "../../../ui/useActions";
import { ReasonField } from "../actions/Consequences";

/** What can be done with the offline request of a device. */
export const useRequestActions = () =>
  useActions((asked: ListedRequest): Action[] => {
    const name = nameOf(asked);
    const isRejected = asked.state === "Rejected";
    return [
      {
        label: isRejected ? t`Undo rejection` : t`Approve`,
        isOffered: isRejected || asked.state === "Waiting",
        confirm: {
          title: t`Approve request`,
          onConfirm: () =>
            api.POST("/api/offline/requests/{requestId}/approve", at({ requestId: asked.id })),
          done: t`Request of ${name} approved.`,
          consequence: (
            <Trans>
              <b>{name}</b> gets its license file, which is then available at the Offline desk. It
              keeps its seat until the file ends or the machine is released.
            </Trans>
          ),
        },
      },
      {
        label: t`Reject`,
        isOffered: asked.state === "Waiting",
        isGrave: true,
        dialog: (onClose) => <RejectDialog asked={asked} onClose={onClose} />,
      },
    ];
  });

interface RejectDialogProps {
  asked: ListedRequest;
  onClose: () => void;
}

function RejectDialog({ asked, onClose }: RejectDialogProps) {
  const name = nameOf(asked);
  const form = useApiForm({
    values: { reason: "" },
    send: ({ reason }) =>
      api.POST("/api/offline/requests/{requestId}/reject", {
        ...at({ requestId: asked.id }),
        body: { reason: textOrNull(reason) },
      }),
    done: t`Request of ${name} rejected.`,
  });
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Reject request`}
      action={t`Reject request`}
      danger
      onClose={onClose}
      consequence={
        <Trans>
          <b>{name}</b> gets no license file. The Offline desk shows the reason to the customer. You
          can undo the rejection.
        </Trans>
      }
    >
      <ReasonField
        {...form.field("reason")}
        helperText={t`Optional. The Offline desk shows it, and it is recorded in the audit log.`}
      />
    </ConfirmFormDialog>
  );
}
