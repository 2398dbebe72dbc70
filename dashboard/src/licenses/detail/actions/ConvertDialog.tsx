import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import { type FieldValues, type Path, useWatch } from "react-hook-form";
import { ConvertLicenseRequest } from "../../../api/checks";
import { api } from "../../../api/client";
import type { LicenseType } from "../../../api/types";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { addMonths, dayOrNull } from "../../../ui/days";
import { FormField } from "../../../ui/form/FormField";
import { type FieldProps, useApiForm } from "../../../ui/form/useApiForm";
import { MODEL_LABELS } from "../../../ui/labels";
import { MODEL_TRAITS } from "../../../ui/models";
import { TermField } from "../../../ui/TermField";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { MODEL_TEXT } from "../../modelText";
import { isCapped, needsTerm } from "../traits";
import { Consequences, type LicenseDialogProps } from "./Consequences";

interface Conversion {
  type: LicenseType;
  expirationDate: string;
  maxActiveUsersCount: string;
  initialMeterBalance: string;
}

const draftOf = (type: LicenseType): Conversion => ({
  type,
  expirationDate: needsTerm(type) ? addMonths(null, 12) : "",
  maxActiveUsersCount: "5",
  initialMeterBalance: "1000",
});

const bodyOf = (draft: Conversion) => ({
  type: draft.type,
  expirationDate: dayOrNull(draft.expirationDate),
  maxActiveUsersCount: isCapped(draft.type) ? Number(draft.maxActiveUsersCount) : null,
  initialMeterBalance:
    MODEL_TRAITS[draft.type].meter === null ? null : Number(draft.initialMeterBalance),
});

/** Converts a trial into a paid license. */
export function ConvertDialog({ license, onClose }: LicenseDialogProps) {
  const notifyChanged = useNotifyChanged();
  const form = useApiForm({
    values: draftOf("Subscription"),
    checks: ConvertLicenseRequest,
    send: async (draft) => {
      await api.POST("/api/licenses/{licenseId}/convert", {
        params: { path: { licenseId: license.id } },
        body: bodyOf(draft),
      });
      notifyChanged(t`License converted to ${model}.`);
    },
  });
  const { control, field, formState } = form;
  const type = useWatch({ control, name: "type" });
  const { meter } = MODEL_TRAITS[type];
  const model = MODEL_LABELS[type];
  const followModel = (chosen: string) =>
    form.setValue("expirationDate", draftOf(chosen as LicenseType).expirationDate, {
      shouldDirty: true,
      shouldValidate: formState.isSubmitted,
    });
  const turnsOnline = license.activationMode === "Offline" && !MODEL_TRAITS[type].offline;
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Convert trial`}
      action={t`Convert to ${model}`}
      onClose={onClose}
      consequence={
        <Consequences
          lead={t`The license key stays the same, so the customer does not have to enter it again.`}
          online={
            turnsOnline
              ? t`They get the new terms with their next validation. The activation mode changes to Online.`
              : t`They get the new terms with their next validation.`
          }
          offline={t`Existing files still contain the trial and its expiration date. Refresh them, or send customers a new license.bin.`}
          undo={t`This cannot be undone. A license cannot become a trial again.`}
        />
      }
    >
      <FormField
        {...field("type")}
        // The server takes numbers for models, too.
        check={undefined}
        select
        label={t`Model`}
        helperText={MODEL_TEXT[type].description}
        onValue={followModel}
      >
        {MODEL_TRAITS[license.type].convertibleTo.map((target) => (
          <MenuItem key={target} value={target}>
            {MODEL_LABELS[target]}
          </MenuItem>
        ))}
      </FormField>
      {isCapped(type) && <SeatsField {...field("maxActiveUsersCount")} />}
      {meter !== null && (
        <FormField
          {...field("initialMeterBalance")}
          type="number"
          label={meter === "credits" ? t`Initial credits` : t`Initial uses`}
          demand={{ required: true, minimum: 0, isWhole: meter === "uses" }}
          input={{ step: meter === "credits" ? "any" : 1 }}
          helperText={t`You can grant more at any time.`}
        />
      )}
      <TermField {...field("expirationDate")} from={null} required={needsTerm(type)} />
    </ConfirmFormDialog>
  );
}

type SeatsFieldProps<Values extends FieldValues, Name extends Path<Values>> = FieldProps<
  Values,
  Name
> & { helperText?: string };

const SEATS = { required: true, minimum: 1, maximum: 1_000_000 };

export const SeatsField = <Values extends FieldValues, Name extends Path<Values>>(
  props: SeatsFieldProps<Values, Name>,
) => <FormField {...props} type="number" label={t`Max active users`} demand={SEATS} />;
