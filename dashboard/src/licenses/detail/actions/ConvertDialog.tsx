import { t } from "@lingui/core/macro";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { ConvertLicenseRequest } from "../../../api/checks";
import { api, at } from "../../../api/client";
import type { License, LicenseType } from "../../../api/types";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { dayFrom, dayOf, dayOrNull } from "../../../ui/days";
import { FormField } from "../../../ui/form/FormField";
import { useApiForm } from "../../../ui/form/useApiForm";
import { MODEL_LABELS } from "../../../ui/labels";
import { MODEL_TRAITS } from "../../../ui/models";
import { TermField } from "../../../ui/TermField";
import { BalanceField, ModelField, SeatsField } from "../../fields";
import { isCapped, needsTerm } from "../traits";
import { Consequences, type LicenseDialogProps } from "./Consequences";
import { KeepDevices, useSeatedDevices } from "./KeepDevices";

interface Conversion {
  type: LicenseType;
  expirationDate: string;
  maxActiveUsersCount: string;
  initialMeterBalance: string;
  issuedTo: string;
}

const MODELS = Object.keys(MODEL_TRAITS) as LicenseType[];

/** A term that was paid for stays; that of a trial does not. */
function termOf(license: License, type: LicenseType): string {
  const paid = license.type === "Trial" || type === "Perpetual" ? null : license.expirationDate;
  if (paid !== null) return dayOf(new Date(paid));
  return needsTerm(type) ? dayFrom(null, { months: 12 }) : "";
}

function staysAsItIs(license: License, { type, expirationDate }: Conversion): boolean {
  if (license.type === "Trial" || type === "Perpetual") return false;
  const before = license.expirationDate === null ? "" : dayOf(new Date(license.expirationDate));
  return expirationDate === before;
}

const draftOf = (license: License, type: LicenseType): Conversion => ({
  type,
  expirationDate: termOf(license, type),
  maxActiveUsersCount: String(license.maxActiveUsersCount ?? 5),
  initialMeterBalance: "1000",
  issuedTo: license.issuedTo ?? "",
});

const isMetered = (type: LicenseType) => MODEL_TRAITS[type].meter !== null;

const bodyOf = (license: License, draft: Conversion, keep: readonly string[]) => ({
  type: draft.type,
  // A term that stays ends at its very instant, and one that has not begun has no date yet.
  ...(staysAsItIs(license, draft) ? {} : { expirationDate: dayOrNull(draft.expirationDate) }),
  maxActiveUsersCount: isCapped(draft.type) ? Number(draft.maxActiveUsersCount) : null,
  initialMeterBalance: isMetered(draft.type) ? Number(draft.initialMeterBalance) : null,
  issuedTo: draft.issuedTo.trim() || null,
  keepActivationIds: [...keep],
});

/** How many devices may hold a seat under the model; null without a limit. */
function capOf({ type, maxActiveUsersCount }: Pick<Conversion, "type" | "maxActiveUsersCount">) {
  if (MODEL_TRAITS[type].binding) return 1;
  if (MODEL_TRAITS[type].seats !== "devices") return null;
  const cap = Number(maxActiveUsersCount);
  return Number.isInteger(cap) && cap > 0 ? cap : null;
}

/** Converts a license into one of another model. */
export function ConvertDialog({ license, onClose }: LicenseDialogProps) {
  const [chosen, setChosen] = useState<string[]>([]);
  const { devices, total } = useSeatedDevices(license);
  const targets = MODELS.filter((target) => target !== license.type);
  const form = useApiForm({
    values: draftOf(license, license.type === "Subscription" ? "Perpetual" : "Subscription"),
    checks: ConvertLicenseRequest,
    send: (draft) =>
      api.POST("/api/licenses/{licenseId}/convert", {
        ...at({ licenseId: license.id }),
        body: bodyOf(license, draft, isOver ? chosen : []),
      }),
    done: ({ type }) => t`License converted to ${{ model: MODEL_LABELS[type] }}.`,
  });
  const { control, field, formState } = form;
  const type = useWatch({ control, name: "type" });
  const cap = capOf({
    type,
    maxActiveUsersCount: useWatch({ control, name: "maxActiveUsersCount" }),
  });
  const isOver = cap !== null && total > cap;
  const { meter } = MODEL_TRAITS[type];
  const model = MODEL_LABELS[type];
  const followModel = (next: LicenseType) => {
    setChosen([]);
    form.setValue("expirationDate", termOf(license, next), {
      shouldDirty: true,
      shouldValidate: formState.isSubmitted,
    });
  };
  const turnsOnline = license.activationMode === "Offline" && !MODEL_TRAITS[type].offline;
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Convert license`}
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
          offline={t`Existing files still contain the old terms. Refresh them, or send customers a new license.bin.`}
          undo={<UndoOf license={license} type={type} />}
        />
      }
    >
      <ModelField {...field("type")} value={type} models={targets} onValue={followModel} />
      {isCapped(type) && <SeatsField {...field("maxActiveUsersCount")} />}
      {isOver && (
        <KeepDevices
          devices={devices}
          total={total}
          cap={cap}
          chosen={chosen}
          onChange={setChosen}
        />
      )}
      {meter !== null && <BalanceField {...field("initialMeterBalance")} meter={meter} />}
      {license.issuedTo === null && (
        <FormField
          {...field("issuedTo")}
          demand={{ required: MODEL_TRAITS[type].issuedToRequired }}
        />
      )}
      <TermField {...field("expirationDate")} from={null} required={needsTerm(type)} />
    </ConfirmFormDialog>
  );
}

/** What becomes of what the license holds, and whether it can be had back. */
function UndoOf({ license, type }: { license: License; type: LicenseType }) {
  const before = MODEL_TRAITS[license.type].meter;
  if (before === null) return t`The license can be converted back at any time.`;
  const after = MODEL_TRAITS[type].meter;
  return after === null
    ? t`The balance is kept, and counts again when the license is converted back.`
    : t`The balance is closed in the ledger, because its unit changes. The license can be converted back at any time.`;
}
