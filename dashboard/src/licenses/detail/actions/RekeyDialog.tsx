import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { RekeyLicenseRequest } from "../../../api/checks";
import { api, at } from "../../../api/client";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { FormField } from "../../../ui/form/FormField";
import { useApiForm } from "../../../ui/form/useApiForm";
import { Consequences, type LicenseDialogProps } from "./Consequences";

const USUAL_GRACE_DAYS = "7";

export function RekeyDialog({ license, onClose }: LicenseDialogProps) {
  const form = useApiForm({
    values: { graceDays: USUAL_GRACE_DAYS },
    checks: RekeyLicenseRequest,
    send: ({ graceDays }) =>
      api.POST("/api/licenses/{licenseId}/rekey", {
        ...at({ licenseId: license.id }),
        body: { graceDays: Number(graceDays) },
      }),
    done: t`License key replaced.`,
  });
  const name = license.licenseName;
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Replace license key`}
      action={t`Replace license key`}
      onClose={onClose}
      consequence={
        <Consequences
          lead={
            <Trans>
              <b>{name}</b> gets a new key. Devices, sessions and balance stay.
            </Trans>
          }
          online={t`They need the new key before the grace period ends; then the old key is unknown.`}
          offline={t`Existing files keep working until they are refreshed, which takes the new key.`}
          undo={t`This cannot be undone. Send customers the new key.`}
        />
      }
    >
      <FormField
        {...form.field("graceDays")}
        type="number"
        label={t`Days that the old key still works`}
        helperText={t`0 stops the old key at once, for example after it was published.`}
      />
    </ConfirmFormDialog>
  );
}
