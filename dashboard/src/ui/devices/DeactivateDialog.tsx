import { plural, t } from "@lingui/core/macro";
import { useWatch } from "react-hook-form";
import { ConfirmFormDialog } from "../ConfirmDialog";
import { FormCheckbox } from "../form/FormCheckbox";
import { useApiForm } from "../form/useApiForm";
import type { BulkDialogProps } from "../bulk/BulkBar";
import { BulkNames, BulkReasons } from "../bulk/BulkLists";
import { reasonsOf } from "../bulk/useBulkRun";
import type { DeactivateGiven } from "./DeviceBar";
import { type Device, isHeldByFile, isRemovable, nameOf } from "./deviceActions";

/** Confirms that the selected devices are removed, and says when their seats are free. */
export default function DeactivateDialog({
  items,
  beyond,
  onStart,
  onClose,
}: BulkDialogProps<Device, DeactivateGiven, "deactivate">) {
  const form = useApiForm({
    values: { force: false },
    send: ({ force }) => {
      onStart({ items: included, given: { force } });
      return Promise.resolve();
    },
  });
  const force = useWatch({ control: form.control, name: "force" });
  const held = items.filter(isHeldByFile).length;
  const included = items.filter((device) => isRemovable(device) || force);
  const left = items.filter((device) => !included.includes(device));
  const count = included.length;
  const action = plural(count, { one: "Deactivate # device", other: "Deactivate # devices" });
  return (
    <ConfirmFormDialog
      form={form}
      title={t`${{ act: action }}?`}
      consequence={
        <>
          {t`The devices are removed and their sessions end immediately; blocks are lifted. A seat is free at once, or when the license file of its device has ended. Devices can be activated again as long as there are seats.`}
          <BulkNames names={included.map(nameOf)} />
        </>
      }
      action={action}
      danger
      disabled={count === 0}
      onClose={onClose}
    >
      {beyond}
      {held > 0 && (
        <FormCheckbox
          {...form.field("force")}
          label={plural(held, {
            one: "Free the seat of # device with a license file at once",
            other: "Free the seats of # devices with a license file at once",
          })}
          helperText={t`Until their files end, more devices than the license has seats can be in use. Do this only if the files are lost or no longer used.`}
        />
      )}
      {left.length > 0 && (
        <BulkReasons
          title={plural(
            { count: left.length },
            { one: "Skipped: # device", other: "Skipped: # devices" },
          )}
          reasons={reasonsOf(
            left.map((item) => ({
              item,
              why: t`Already deactivated. The seat is free when the license file has ended.`,
            })),
            nameOf,
          )}
        />
      )}
    </ConfirmFormDialog>
  );
}
