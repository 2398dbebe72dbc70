import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import { useWatch } from "react-hook-form";
import { LicenseChange as CHECKS } from "../../../api/checks";
import { $api, api, at } from "../../../api/client";
import {
  changed,
  chosen,
  type DraftOf,
  fieldsOf,
  OPTIONAL_TEXT,
  TEXT,
  textOrNull,
} from "../../../api/fields";
import type { License, LicenseType, Schemas } from "../../../api/types";
import { ConfirmFormDialog } from "../../../ui/ConfirmDialog";
import { useFeatures, valueOf } from "../../../ui/featureValues";
import { FormField } from "../../../ui/form/FormField";
import { type ApiForm, type FieldProps, useApiForm } from "../../../ui/form/useApiForm";
import { useField } from "../../../ui/form/useField";
import { Row } from "../../../ui/layout/layout";
import { MarkdownField } from "../../../ui/MarkdownField";
import { METADATA, MetadataFields } from "../../../ui/MetadataFields";
import { MODEL_TRAITS } from "../../../ui/models";
import type { Kinds, Pair } from "../../../ui/pairs";
import { TagsField } from "../../../ui/tags/TagsField";
import { licenseTerms, type TermDraft, termsOfLicense } from "../../../ui/terms/terms";
import { TermFields } from "../../../ui/terms/TermFields";
import { useNotifyChanged } from "../../../ui/useNotifyChanged";
import { useProduct } from "../../../ui/useProduct";
import { FeatureValueFields, missingIn, type ValuedFeature } from "../../FeatureValueFields";
import {
  SeatsField,
  OwnTextFields,
  ownTextFieldsOf,
  type OwnTexts,
  ownTextsOf,
  CustomerInstitutionField,
} from "../../fields";
import { isCapped } from "../traits";
import type { LicenseDialogProps } from "./Consequences";
import { KeepDevices, useSeatedDevices } from "./KeepDevices";

export function EditDialog({ license, onClose }: LicenseDialogProps) {
  const { data: features = [] } = useFeatures(license.productId);
  const notifyChanged = useNotifyChanged();
  const { data: product } = useProduct(license.productId);
  const model = MODEL_TRAITS[license.type];
  const isFrozen = license.status === "Revoked";
  const form = useApiForm({
    values: draftOf(license),
    checks: CHECKS,
    send: async (draft) => {
      const kinds = new Map(features.map(({ name, kind }) => [name, kind]));
      const body = changesOf(license, draft, kinds);
      if (Object.keys(body).length === 0) return;
      await api.PUT("/api/licenses/{licenseId}", { ...at({ licenseId: license.id }), body });
      notifyChanged(t`License updated.`);
    },
  });
  const { field } = form;
  const terms = { form, type: license.type };
  return (
    <ConfirmFormDialog
      form={form}
      title={t`Edit license`}
      action={t`Save`}
      onClose={onClose}
      consequence={
        isFrozen
          ? t`The license is revoked: only its notes, metadata and tags can still change.`
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
            helperText={t`An email address or a user ID.`}
            required={license.type !== "Perpetual"}
          />
          <CustomerInstitutionField {...field("customerInstitutionId")} product={product} />
          <OwnTextFields form={form} />
          <TermFields {...terms} group="grace" />
          <TermFields {...terms} group="fallback" />
          {isCapped(license.type) && <CapField license={license} form={form} />}
          <TermFields {...terms} group="away" />
          <TermFields {...terms} group="modes" />
          <TermFields {...terms} group="devices" />
          {model.credentials && <CredentialFields license={license} form={form} />}
          <CatalogFields license={license} form={form} />
          <ValuesField {...field("featureValues")} features={features} />
        </>
      )}
      <MarkdownField
        {...field("notes")}
        label={t`Notes`}
        helperText={t`For your team only; customers cannot see them.`}
      />
      <TagsField {...field("tags")} of="licenses" institutionId={license.institutionId} />
      <MetadataFields {...field("metadata")} />
    </ConfirmFormDialog>
  );
}

interface PartProps {
  license: License;
  form: ApiForm<Draft>;
}

/** The number of seats, and what a lower one means for those who have them. */
function CapField({ license, form }: PartProps) {
  const { control, field } = form;
  const cap = Number(useWatch({ control, name: "maxActiveUsersCount" }));
  const mayBeOver =
    Number.isInteger(cap) &&
    cap > 0 &&
    (cap < (license.maxActiveUsersCount ?? 0) || license.devicesOverLimit > 0);
  const areDevices = MODEL_TRAITS[license.type].seats === "devices";
  return (
    <>
      <SeatsField
        {...field("maxActiveUsersCount")}
        helperText={
          areDevices
            ? t`With fewer seats than devices, the newest devices lose theirs.`
            : t`Lowering it ends no sessions, but new ones are rejected until a seat is free.`
        }
      />
      {areDevices && mayBeOver && <SeatHolders license={license} form={form} cap={cap} />}
    </>
  );
}

/** Lets the operator choose which devices stay where there are more than seats. */
function SeatHolders({ license, form, cap }: PartProps & { cap: number }) {
  const seated = useSeatedDevices(license);
  const chosen = useWatch({ control: form.control, name: "keepActivationIds" });
  if (seated.total <= cap) return null;
  return (
    <KeepDevices
      {...seated}
      cap={cap}
      chosen={chosen}
      onChange={(ids) => form.setValue("keepActivationIds", ids, { shouldDirty: true })}
    />
  );
}

/** The release and the entitlement set of the license. */
function CatalogFields({ license, form: { control, field } }: PartProps) {
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

type LicenseChange = Schemas["LicenseChange"];

const FIELDS = fieldsOf({
  licenseName: TEXT,
  issuedTo: OPTIONAL_TEXT,
  customerInstitutionId: OPTIONAL_TEXT,
  entitlementSetId: OPTIONAL_TEXT,
  softwareReleaseId: TEXT,
  notes: OPTIONAL_TEXT,
  metadata: METADATA,
  tags: chosen<string[]>(),
});

/** The form values for the fields of a license. */
interface Draft extends DraftOf<typeof FIELDS>, OwnTexts, TermDraft {
  maxActiveUsersCount: string;
  username: string;
  /** Empty to keep the password. */
  password: string;
  featureValues: readonly Pair[];
  /** The devices that have their seats first; empty for the oldest. */
  keepActivationIds: readonly string[];
}

const draftOf = (license: License): Draft => ({
  ...FIELDS.draftOf(license),
  ...ownTextsOf(license),
  ...licenseTerms(license),
  maxActiveUsersCount: String(license.maxActiveUsersCount ?? ""),
  username: license.username ?? "",
  password: "",
  featureValues: Object.entries(license.featureValues).map(
    ([name, value]) => [name, String(value)] as const,
  ),
  keepActivationIds: [],
});

/** Username and password come and go together; a password that is not typed stays. */
const credentialsOf = ({ username, password }: Draft): LicenseChange => {
  const name = textOrNull(username);
  if (name === null) return { username: null, ...(password === "" && { password: null }) };
  return { username: name, ...(password !== "" && { password }) };
};

const bodyOf = (type: LicenseType, draft: Draft, kinds: Kinds): LicenseChange => ({
  ...FIELDS.bodyOf(draft),
  ...ownTextFieldsOf(draft),
  ...termsOfLicense(type, draft),
  ...credentialsOf(draft),
  keepActivationIds: [...draft.keepActivationIds],
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
const changesOf = (license: License, draft: Draft, kinds: Kinds): LicenseChange =>
  changed(bodyOf(license.type, draft, kinds), bodyOf(license.type, draftOf(license), kinds));

/** The username and the password that online validation requires, if the license has them. */
function CredentialFields({ license, form: { control, field } }: PartProps) {
  const [username, password] = useWatch({ control, name: ["username", "password"] });
  const isKept = license.username !== null && username.trim() !== "";
  return (
    <Row gap="l" align="stretch" folds>
      <FormField
        {...field("username")}
        required={password !== ""}
        helperText={t`If both are set, online validation requires them.`}
      />
      <FormField
        {...field("password")}
        type="password"
        autoComplete="new-password"
        required={username.trim() !== "" && !isKept}
        helperText={isKept ? t`Leave empty to keep the password.` : t`It cannot be viewed again.`}
      />
    </Row>
  );
}
