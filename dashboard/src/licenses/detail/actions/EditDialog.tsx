import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useWatch } from "react-hook-form";
import { LicenseChange as CHECKS } from "../../../api/checks";
import { $api, api } from "../../../api/client";
import { textOrNull } from "../../../api/fields";
import type { License, Schemas } from "../../../api/types";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { useFeatures, valueOf } from "../../../ui/featureValues";
import { FormField } from "../../../ui/form/FormField";
import { type ApiForm, type FieldProps, useApiForm } from "../../../ui/form/useApiForm";
import { useField } from "../../../ui/form/useField";
import { MarkdownField } from "../../../ui/MarkdownField";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { FeatureValueFields, missingIn, type ValuedFeature } from "../../FeatureValueFields";
import { type Kinds, type Pair, PairRow, PairRows } from "../../PairRows";
import { isCapped } from "../traits";
import type { LicenseDialogProps } from "./Consequences";
import { SeatsField } from "./ConvertDialog";

export function EditDialog({ license, onClose }: LicenseDialogProps) {
  const { data: features = [] } = useFeatures(license.productId);
  const notifyChanged = useNotifyChanged();
  const isFrozen = license.status === "Revoked";
  const form = useApiForm({
    values: draftOf(license),
    checks: CHECKS,
    send: async (draft) => {
      const kinds = new Map(features.map(({ name, kind }) => [name, kind]));
      const body = changesOf(license, draft, kinds);
      if (Object.keys(body).length === 0) return;
      await api.PUT("/api/licenses/{licenseId}", {
        params: { path: { licenseId: license.id } },
        body,
      });
      notifyChanged(t`License updated.`);
    },
  });
  const { field } = form;
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Edit license`}
      action={t`Save`}
      onClose={onClose}
      consequence={
        isFrozen
          ? t`The license is revoked: only its notes and metadata can still change.`
          : t`Applications get the changes with their next validation. Existing license files keep the old values until they are refreshed.`
      }
    >
      {!isFrozen && (
        <>
          <FormField
            {...field("licenseName")}
            label={t`Name`}
            demand={{ required: true, maxLength: 200 }}
          />
          <FormField
            {...field("issuedTo")}
            label={t`Issued to`}
            helperText={t`An email address or a user ID.`}
            required={license.type !== "Perpetual"}
          />
          <FormField {...field("issuer")} label={t`Issuer`} />
          {isCapped(license.type) && (
            <SeatsField
              {...field("maxActiveUsersCount")}
              helperText={t`Lowering it ends no sessions and removes no devices, but new ones are rejected until a seat is free.`}
            />
          )}
          <CatalogFields license={license} form={form} />
          <ValuesField {...field("featureValues")} features={features} />
        </>
      )}
      <MarkdownField
        {...field("notes")}
        label={t`Notes`}
        helperText={t`For your team only; customers cannot see them.`}
      />
      <MetadataFields {...field("metadata")} />
    </ConfirmFormDialog>
  );
}

interface CatalogFieldsProps {
  license: License;
  form: ApiForm<Draft>;
}

/** The release and the entitlement set of the license. */
function CatalogFields({ license, form: { control, field } }: CatalogFieldsProps) {
  const path = { productId: license.productId };
  const query = { pageSize: 100 };
  const releases = $api.useQuery("get", "/api/products/{productId}/releases", {
    params: { path, query },
  });
  const sets = $api.useQuery("get", "/api/products/{productId}/entitlement-sets", {
    params: { path, query },
  });
  const releaseItems = releases.data?.items ?? [];
  const setItems = sets.data?.items ?? [];
  const [releaseId, setId] = useWatch({ control, name: ["softwareReleaseId", "entitlementSetId"] });
  return (
    <>
      <FormField
        {...field("softwareReleaseId")}
        select
        label={t`Release`}
        helperText={t`Applications with a higher major version are rejected.`}
      >
        {!releaseItems.some((item) => item.id === releaseId) && (
          <MenuItem value={releaseId}>{license.releaseVersion}</MenuItem>
        )}
        {releaseItems.map((item) => (
          <MenuItem key={item.id} value={item.id}>
            {item.version}
            {item.channel !== "Stable" && ` (${item.channel})`}
          </MenuItem>
        ))}
      </FormField>
      <FormField
        {...field("entitlementSetId")}
        select
        label={t`Entitlement set`}
        helperText={t`Which features the license includes.`}
        slotProps={{ select: { displayEmpty: true } }}
      >
        <MenuItem value="">{t`Not restricted`}</MenuItem>
        {setId !== "" && !setItems.some((item) => item.id === setId) && (
          <MenuItem value={setId}>{t`Current set`}</MenuItem>
        )}
        {setItems.map((item) => (
          <MenuItem key={item.id} value={item.id}>
            {item.name}
          </MenuItem>
        ))}
      </FormField>
    </>
  );
}

type ValuesFieldProps = FieldProps<Draft, "featureValues"> & {
  features: readonly ValuedFeature[];
};

/** The license's own values of features. */
function ValuesField({ features, ...field }: ValuesFieldProps) {
  const { value, set, ref, message } = useField(field, {
    fault: (pairs) =>
      missingIn(features, pairs as readonly Pair[]) < 0
        ? undefined
        : t`Enter a value, or remove the feature.`,
  });
  return (
    <FeatureValueFields
      features={features}
      pairs={value}
      onChange={set}
      error={message}
      missingRef={ref}
    />
  );
}

const MOST_PAIRS = 50;

const isNameless = ([name, value]: Pair) => name.trim() === "" && value.trim() !== "";

const faultOf = (pairs: unknown) =>
  (pairs as readonly Pair[]).some(isNameless) ? t`Each value needs a name.` : undefined;

/** Key-value pairs of the vendor, delivered to applications with the license. */
function MetadataFields(props: FieldProps<Draft, "metadata">) {
  const { value: pairs, set, ref, message } = useField(props, { fault: faultOf });
  const nameless = pairs.findIndex(isNameless);
  const put = (place: number, pair: Pair) => set(pairs.with(place, pair));
  return (
    <PairRows
      title={t`Metadata`}
      error={message}
      add={t`Add entry`}
      isFull={pairs.length >= MOST_PAIRS}
      onAdd={() => set([...pairs, ["", ""]])}
    >
      {pairs.map(([name, value], place) => (
        <PairRow
          key={place}
          remove={name ? t`Remove ${name}` : t`Remove entry`}
          onRemove={() => set(pairs.toSpliced(place, 1))}
        >
          <TextField
            label={t`Name`}
            value={name}
            error={message !== undefined && isNameless([name, value])}
            inputRef={place === nameless ? ref : null}
            slotProps={{ htmlInput: { maxLength: 100 } }}
            onChange={(event) => put(place, [event.target.value, value])}
          />
          <TextField
            label={t`Value`}
            value={value}
            slotProps={{ htmlInput: { maxLength: 1000 } }}
            onChange={(event) => put(place, [name, event.target.value])}
          />
        </PairRow>
      ))}
    </PairRows>
  );
}

type LicenseChange = Schemas["LicenseChange"];

/** The form values for the fields of a license. */
interface Draft {
  licenseName: string;
  issuedTo: string;
  issuer: string;
  maxActiveUsersCount: string;
  entitlementSetId: string;
  softwareReleaseId: string;
  notes: string;
  featureValues: readonly Pair[];
  metadata: readonly Pair[];
}

const draftOf = (license: License): Draft => ({
  licenseName: license.licenseName,
  issuedTo: license.issuedTo ?? "",
  issuer: license.issuer ?? "",
  maxActiveUsersCount: String(license.maxActiveUsersCount ?? ""),
  entitlementSetId: license.entitlementSetId ?? "",
  softwareReleaseId: license.softwareReleaseId,
  notes: license.notes ?? "",
  featureValues: Object.entries(license.featureValues).map(
    ([name, value]) => [name, String(value)] as const,
  ),
  metadata: Object.entries(license.metadata),
});

const fieldsOf = (draft: Draft, kinds: Kinds): LicenseChange => ({
  licenseName: draft.licenseName.trim(),
  issuedTo: textOrNull(draft.issuedTo),
  issuer: textOrNull(draft.issuer),
  entitlementSetId: draft.entitlementSetId || null,
  softwareReleaseId: draft.softwareReleaseId,
  notes: textOrNull(draft.notes),
  metadata: Object.fromEntries(
    draft.metadata
      .map(([name, value]) => [name.trim(), value] as const)
      .filter(([name, value]) => name !== "" || value !== ""),
  ),
  featureValues: Object.fromEntries(
    draft.featureValues
      .filter(([name]) => name !== "")
      .map(([name, typed]) => [name, valueOf({ kind: kinds.get(name) ?? "Flag" }, typed)] as const),
  ),
  ...(draft.maxActiveUsersCount !== "" && {
    maxActiveUsersCount: Number(draft.maxActiveUsersCount),
  }),
});

/** The fields that the form changes. */
function changesOf(license: License, draft: Draft, kinds: Kinds): LicenseChange {
  const before = new Map(Object.entries(fieldsOf(draftOf(license), kinds)));
  const changed = Object.entries(fieldsOf(draft, kinds)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  return Object.fromEntries(changed);
}
