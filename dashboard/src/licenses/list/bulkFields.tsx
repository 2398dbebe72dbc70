import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";
import { BulkLicensesRequest } from "../../api/checks";
import type { License, LicenseType, Schemas } from "../../api/types";
import { dayAfter, dayOrNull, faultOfPastDay } from "../../ui/days";
import { faultOf } from "../../ui/form/check";
import { DateField } from "../../ui/dates/DateField";
import { FormField } from "../../ui/form/FormField";
import { useField } from "../../ui/form/useField";
import { TagInput } from "../../ui/tags/TagInput";
import type { ApiForm } from "../../ui/form/useApiForm";
import { Row } from "../../ui/layout/layout";
import { MODEL_TRAITS } from "../../ui/models";
import { termsOf } from "../../ui/policyTerms";
import { useEntitlementSets } from "../issue/EntitlementField";
import { named, usePolicies, useReleases } from "../issue/ProductSection";
import { BalanceField, ModelField, SeatsField } from "../fields";
import type { BulkGiven, BulkKind } from "./bulkActions";

type Policy = Schemas["Policy"];

/** In place of an entitlement set: none. */
const UNRESTRICTED = "none";

/** What is filled in at first, for any of the actions; texts are as typed. */
export const newDraft = (kind: BulkKind, licenses: License[]) => ({
  reason: "",
  /** Which of the three says how far terms are extended. */
  extendBy: "months" as "months" | "days" | "expirationDate",
  months: "12",
  days: "30",
  expirationDate: kind === "extend" ? dayAfter({ months: 12 }) : "",
  /** The product of what is chosen. */
  productId: licenses[0]?.productId ?? "",
  softwareReleaseId: "",
  policyId: "",
  entitlementSetId: "",
  /** The model to convert to, and what some models need. */
  type: "Subscription" as LicenseType,
  maxActiveUsersCount: "5",
  initialMeterBalance: "1000",
  tag: "",
});

type BulkDraft = ReturnType<typeof newDraft>;

interface BulkFieldsProps {
  form: ApiForm<BulkDraft>;
  licenses: License[];
}

interface Asked {
  Fields: (props: BulkFieldsProps) => ReactNode;
  /** What the request says then; null while something is missing. */
  given: (draft: BulkDraft) => BulkGiven | null;
}

function Extension({ form: { control, field } }: BulkFieldsProps) {
  const extendBy = useWatch({ control, name: "extendBy" });
  return (
    <Row gap="l" align="stretch" folds>
      <FormField
        {...field("extendBy")}
        label={t`Extend`}
        options={[
          ["months", t`Each by months`],
          ["days", t`Each by days`],
          ["expirationDate", t`All to one date`],
        ]}
      />
      {extendBy === "expirationDate" ? (
        <DateField
          {...field("expirationDate")}
          required
          fault={faultOfPastDay}
          range={{ min: dayAfter({}) }}
        />
      ) : (
        <FormField
          key={extendBy}
          {...field(extendBy)}
          type="number"
          label={extendBy === "months" ? t`Months` : t`Days`}
          required
        />
      )}
    </Row>
  );
}

function extensionOf({ extendBy, months, days, expirationDate }: BulkDraft): BulkGiven | null {
  if (extendBy === "expirationDate") {
    const day = dayOrNull(expirationDate);
    return day === null ? null : { expirationDate: day };
  }
  const typed = extendBy === "months" ? months : days;
  const check = { ...BulkLicensesRequest[extendBy], required: true };
  return faultOf(typed, check) === undefined ? { [extendBy]: Number(typed) } : null;
}

/** The product whose releases, policies or sets are offered, where the licenses are of several. */
function ProductField({ form: { control, field, setValue }, licenses }: BulkFieldsProps) {
  const names = new Map(licenses.map(({ productId, productName }) => [productId, productName]));
  const productId = useWatch({ control, name: "productId" });
  if (names.size < 2) return null;
  return (
    <FormField
      {...field("productId")}
      helperText={t`Licenses of other products are skipped.`}
      onValue={(chosen) => {
        if (chosen === productId) return;
        setValue("softwareReleaseId", "");
        setValue("policyId", "");
        setValue("entitlementSetId", "");
      }}
      options={[...names]}
    />
  );
}

function ReleaseFields(props: BulkFieldsProps) {
  const { control, field } = props.form;
  const { releases } = useReleases(useWatch({ control, name: "productId" }));
  return (
    <>
      <ProductField {...props} />
      <FormField
        {...field("softwareReleaseId")}
        required
        options={releases.map((release) => [release.id, named(release)] as const)}
      />
    </>
  );
}

/** How many devices of licenses under the policy's model have no seat under the policy. */
function devicesOver(
  licenses: License[],
  { productId, type, maxActiveUsersCount }: Policy,
): number {
  if (MODEL_TRAITS[type].seats !== "devices") return 0;
  return licenses
    .filter((item) => item.productId === productId && item.type === type)
    .filter(({ status }) => status !== "Revoked")
    .reduce(
      (sum, { seatsUsed }) => sum + Math.max(0, (seatsUsed ?? 0) - (maxActiveUsersCount ?? 0)),
      0,
    );
}

function PolicyFields(props: BulkFieldsProps) {
  const { control, field } = props.form;
  const [productId, policyId] = useWatch({ control, name: ["productId", "policyId"] });
  const policies = usePolicies(productId);
  const chosen = policies.find(({ id }) => id === policyId);
  const over = chosen ? devicesOver(props.licenses, chosen) : 0;
  return (
    <>
      <ProductField {...props} />
      <FormField
        {...field("policyId")}
        required
        helperText={chosen && termsOf(chosen)}
        options={policies.map(({ id, name }) => [id, name] as const)}
      />
      {over > 0 && (
        <Alert severity="warning">
          {plural(over, {
            one: "# device will be over the limit, because the policy has fewer seats. It stays listed and gets its seat back when its license has more.",
            other:
              "# devices will be over the limit, because the policy has fewer seats. They stay listed and get their seats back when their licenses have more.",
          })}
        </Alert>
      )}
    </>
  );
}

function SetFields(props: BulkFieldsProps) {
  const { control, field } = props.form;
  const sets = useEntitlementSets(useWatch({ control, name: "productId" }));
  return (
    <>
      <ProductField {...props} />
      <FormField
        {...field("entitlementSetId")}
        required
        options={[
          [UNRESTRICTED, t`Not restricted`],
          ...sets.map(({ id, name }) => [id, name] as const),
        ]}
      />
    </>
  );
}

const MODELS = Object.keys(MODEL_TRAITS) as LicenseType[];

/** Another model, and what it needs of all licenses alike. */
function ModelFields({ form: { control, field } }: BulkFieldsProps) {
  const type = useWatch({ control, name: "type" });
  const { seats, meter } = MODEL_TRAITS[type];
  return (
    <>
      <ModelField {...field("type")} value={type} models={MODELS} />
      {seats !== null && <SeatsField {...field("maxActiveUsersCount")} />}
      {meter !== null && <BalanceField {...field("initialMeterBalance")} meter={meter} />}
      <DateField
        {...field("expirationDate")}
        fault={faultOfPastDay}
        range={{ min: dayAfter({}) }}
        helperText={
          type === "Perpetual"
            ? t`For all licenses. Leave empty for no expiration.`
            : t`For all licenses. Leave empty to keep each term; the terms of trials are not kept.`
        }
      />
    </>
  );
}

function modelOf({ type, expirationDate, ...typed }: BulkDraft): BulkGiven | null {
  const { seats, meter } = MODEL_TRAITS[type];
  const maxActiveUsersCount = Number(typed.maxActiveUsersCount);
  const initialMeterBalance = Number(typed.initialMeterBalance);
  if (seats !== null && !(Number.isInteger(maxActiveUsersCount) && maxActiveUsersCount > 0))
    return null;
  if (meter !== null && !(initialMeterBalance > 0)) return null;
  const day = dayOrNull(expirationDate);
  return {
    type,
    ...(seats !== null && { maxActiveUsersCount }),
    ...(meter !== null && { initialMeterBalance }),
    ...(day !== null && { expirationDate: day }),
  };
}

/** The tag to add or remove. */
function TagField({ form, licenses }: BulkFieldsProps) {
  const { value, set, message } = useField(form.field("tag"), {
    fault: (tag) => (tag === "" ? t`Enter a tag.` : undefined),
  });
  const institutions = new Set(licenses.map(({ institutionId }) => institutionId));
  const [institutionId] = institutions;
  return (
    <TagInput
      of="licenses"
      institutionId={institutions.size === 1 ? (institutionId ?? null) : null}
      label={t`Tag`}
      value={value}
      autoFocus
      error={message}
      onType={set}
    />
  );
}

const tagOf = ({ tag }: BulkDraft): BulkGiven | null => (tag.trim() ? { tag: tag.trim() } : null);

/** What is asked for the actions that need more than the licenses. */
export const ASKED: Partial<Record<BulkKind, Asked>> = {
  extend: { Fields: Extension, given: extensionOf },
  setRelease: {
    Fields: ReleaseFields,
    given: ({ softwareReleaseId }) => (softwareReleaseId ? { softwareReleaseId } : null),
  },
  applyPolicy: {
    Fields: PolicyFields,
    given: ({ policyId }) => (policyId ? { policyId } : null),
  },
  setEntitlementSet: {
    Fields: SetFields,
    given: ({ entitlementSetId: id }) =>
      id ? { entitlementSetId: id === UNRESTRICTED ? null : id } : null,
  },
  convert: { Fields: ModelFields, given: modelOf },
  addTag: { Fields: TagField, given: tagOf },
  removeTag: { Fields: TagField, given: tagOf },
};
