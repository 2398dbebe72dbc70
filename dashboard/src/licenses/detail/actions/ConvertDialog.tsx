import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { api } from "../../../api/client";
import type { LicenseType } from "../../../api/types";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import { FormField } from "../../../ui/Form";
import { MODEL_LABELS } from "../../../ui/labels";
import { isCapped, needsTerm } from "../traits";
import { MODEL_TEXT } from "../../modelText";
import { MODEL_TRAITS } from "../../../ui/models";
import { addMonths, endOfDay } from "../../../ui/days";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { Consequences } from "./Consequences";
import type { LicenseDialogProps } from "./dialog";
import { SeatsField } from "./SeatsField";
import { TermField } from "../../../ui/TermField";

/** Converts a trial into a paid license. */
export function ConvertDialog({ license, onClose }: LicenseDialogProps) {
  const [type, setType] = useState<LicenseType>("Subscription");
  const [day, setDay] = useState(() => addMonths(null, 12));
  const [seats, setSeats] = useState("5");
  const [balance, setBalance] = useState("1000");
  const { meter } = MODEL_TRAITS[type];
  const model = MODEL_LABELS[type];
  const notifyChanged = useNotifyChanged();
  const choose = (chosen: LicenseType) => {
    setType(chosen);
    setDay(needsTerm(chosen) ? addMonths(null, 12) : "");
  };
  const convert = async () => {
    await api.POST("/api/licenses/{licenseId}/convert", {
      params: { path: { licenseId: license.id } },
      body: {
        type,
        expirationDate: endOfDay(day),
        maxActiveUsersCount: isCapped(type) ? Number(seats) : null,
        initialMeterBalance: meter === null ? null : Number(balance),
      },
    });
    notifyChanged(t`License converted to ${model}.`);
  };
  const turnsOnline = license.activationMode === "Offline" && !MODEL_TRAITS[type].offline;
  return (
    <ConfirmDialog
      title={t`Convert trial`}
      action={t`Convert to ${model}`}
      onConfirm={convert}
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
        name="type"
        select
        label={t`Model`}
        value={type}
        helperText={MODEL_TEXT[type].description}
        onValue={(chosen) => {
          choose(chosen as LicenseType);
        }}
      >
        {MODEL_TRAITS[license.type].convertibleTo.map((target) => (
          <MenuItem key={target} value={target}>
            {MODEL_LABELS[target]}
          </MenuItem>
        ))}
      </FormField>
      {isCapped(type) && <SeatsField value={seats} onChange={setSeats} />}
      {meter !== null && (
        <FormField
          name="initialMeterBalance"
          type="number"
          label={meter === "credits" ? t`Initial credits` : t`Initial uses`}
          value={balance}
          onValue={setBalance}
          required
          helperText={t`You can grant more at any time.`}
          slotProps={{ htmlInput: { min: 0, step: meter === "credits" ? "any" : 1 } }}
        />
      )}
      <TermField from={null} day={day} onChange={setDay} required={needsTerm(type)} />
    </ConfirmDialog>
  );
}
