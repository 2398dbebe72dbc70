import { plural, t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import {
  changed,
  chosen,
  type DraftOf,
  fieldsOf,
  NUMBER,
  OPTIONAL_MARKDOWN,
  OPTIONAL_NUMBER,
  TEXT,
} from "../../api/fields";
import { ProductChange } from "../../api/checks";
import { api, at } from "../../api/client";
import type { Product, Schemas } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { DescriptionList } from "../../ui/DescriptionList";
import { FormCheckbox } from "../../ui/form/FormCheckbox";
import { FormField, type FormFieldProps } from "../../ui/form/FormField";
import { SaveForm } from "../../ui/form/SaveForm";
import { type ApiForm, useApiForm } from "../../ui/form/useApiForm";
import { number } from "../../ui/formats";
import { ImagePicker, putImage } from "../../ui/ImagePicker";
import { Column } from "../../ui/layout/layout";
import { listKey } from "../../ui/list/useList";
import { daysText } from "../../ui/quantities";
import { Section } from "../../ui/Section";
import { notify } from "../../ui/toasts/toasts";
import { UNGUARDED } from "../../ui/UnsavedGuard";
import { useAct } from "../../ui/useAct";
import { ACCESS_LABELS } from "../parts/access";
import { AccessFields, type AccessType } from "../parts/fields";
import type { TabProps } from "../parts/TabProps";
import { type HardwareIdKind, HardwareIdKindsField, kindsText } from "./HardwareIdKindsField";
import styles from "./settings.module.css";
import { serviceUrl } from "../../api/address";

/** Settings of a product; read-only without permission to manage it. */
export const SettingsTab = ({ product, manage }: TabProps) =>
  manage ? (
    <Column gap="l">
      <SettingsForm product={product} />
      <DangerZone product={product} />
    </Column>
  ) : (
    <SettingsSummary product={product} />
  );

const seconds = (count: number) => t`${{ count: number(count) }} s`;

/** The settings, read-only. */
const SettingsSummary = ({ product }: { product: Product }) => {
  const { settings } = product;
  return (
    <Section title={t`Settings`}>
      <Typography className={styles.description} dir="auto">
        {product.description}
      </Typography>
      <DescriptionList
        facts={[
          [t`Access`, ACCESS_LABELS[product.accessType]],
          [t`Heartbeat interval`, seconds(settings.heartbeatIntervalSeconds)],
          [t`Session timeout`, seconds(settings.sessionTimeoutSeconds)],
          [t`Minimum heartbeat spacing`, seconds(settings.heartbeatMinSpacingSeconds)],
          [
            t`License file lifetime`,
            settings.offlineFileLifetimeDays === null
              ? t`Until the license expires`
              : daysText(settings.offlineFileLifetimeDays),
          ],
          [t`Device releases per year`, number(settings.deviceReleasesPerYear)],
          [
            t`Releases by applications per year`,
            settings.appDeviceRelease === "On" ? number(settings.appReleasesPerYear) : t`None`,
          ],
          [t`One trial per device`, settings.trialOncePerDevice ? t`Yes` : t`No`],
          [
            t`Idle devices give up their seats after`,
            settings.deviceIdleDays === null
              ? t({ message: "Never", context: "seats" })
              : daysText(settings.deviceIdleDays),
          ],
          [t`Accepted hardware IDs`, kindsText(settings.hardwareIdKinds)],
          [t`Downloads require a license`, settings.downloadsNeedLicense ? t`Yes` : t`No`],
          [t`Default channel`, settings.defaultChannel],
        ]}
      />
    </Section>
  );
};

/** Edits the settings of a product; sends only what changed. */
function SettingsForm({ product }: { product: Product }) {
  const form = useApiForm({
    values: draftOf(product),
    checks: ProductChange,
    validate: ({ settings }) => breachesOf(settings),
    send: (draft) =>
      api.PUT("/api/products/{productId}", {
        ...at({ productId: product.id }),
        body: changeOf(draft, product),
      }),
    done: t`Settings saved.`,
  });
  return (
    <SaveForm form={form}>
      <GeneralSection product={product} form={form} />
      <Section title={t`Access`}>
        <AccessFields {...form.field("accessType")} />
      </Section>
      <SessionsSection form={form} />
      <DevicesSection form={form} />
      <LicensesSection form={form} />
    </SaveForm>
  );
}

/** The product image, which is saved as soon as it is chosen. */
function ProductImage({ product }: { product: Product }) {
  const { busy, act } = useAct();
  const remove = () => api.DELETE("/api/products/{productId}/image", at({ productId: product.id }));
  return (
    <ImagePicker
      label={product.imageUrl ? t`Replace image` : t`Upload image`}
      seenBy={t`Visible to anyone who knows the product ID.`}
      preview={product.imageUrl && serviceUrl(product.imageUrl)}
      onPick={({ file }) =>
        void act(t`Image updated.`, () => putImage(`/api/products/${product.id}/image`, file))
      }
    >
      {product.imageUrl && (
        <Button loading={busy} onClick={() => void act(t`Image removed.`, remove)}>
          {t`Remove image`}
        </Button>
      )}
    </ImagePicker>
  );
}

interface GeneralSectionProps {
  product: Product;
  form: ApiForm<SettingsDraft>;
}

const GeneralSection = ({ product, form: { field } }: GeneralSectionProps) => (
  <Section title={t`Product`}>
    <Column gap="l">
      <FormField {...field("name")} input={{ dir: "auto" }} />
      <FormField
        {...field("description")}
        multiline
        minRows={2}
        maxRows={10}
        input={{ dir: "auto" }}
      />
      <ProductImage product={product} />
    </Column>
  </Section>
);

interface SectionProps {
  form: ApiForm<SettingsDraft>;
}

/** Heartbeat and session timeout settings. */
function SessionsSection({ form }: SectionProps) {
  const { field, trigger } = form;
  // What one becomes makes others right or wrong.
  const check = () =>
    void trigger(["settings.sessionTimeoutSeconds", "settings.heartbeatMinSpacingSeconds"]);
  return (
    <Section
      title={t`Live sessions`}
      subtitle={t`A running application sends heartbeats at this interval. If none arrives before the timeout, its seat is freed. The timeout must be at least twice the interval, so that one lost heartbeat does no harm. Changes apply from the next heartbeat.`}
      help="activations-and-sessions"
    >
      <div className={styles.thirds}>
        <NumberField
          {...field("settings.heartbeatIntervalSeconds")}
          helperText={t`1 to 3600. Shorter intervals free seats sooner but cause more traffic.`}
          required
          onValue={check}
        />
        <NumberField
          {...field("settings.sessionTimeoutSeconds")}
          helperText={t`3 to 86400. After a crash, the seat stays taken for this long.`}
          required
          onValue={check}
        />
        <NumberField
          {...field("settings.heartbeatMinSpacingSeconds")}
          helperText={t`More frequent heartbeats are rejected. At most the interval.`}
          required
          demand={{ minimum: 0 }}
          onValue={check}
        />
      </div>
    </Section>
  );
}

/** Settings for the devices that may use licenses. */
const DevicesSection = ({ form: { field } }: SectionProps) => (
  <Section
    title={t`Devices`}
    subtitle={t`These settings apply from the next request of an application, to devices that are activated already, too.`}
    help="activations-and-sessions"
  >
    <Column gap="l">
      <FormCheckbox
        {...field("settings.trialOncePerDevice")}
        look="switch"
        label={t`One trial per device`}
        helperText={t`A device that had a trial of this product is refused any other, even if the first was deleted, revoked or converted. Trials then require a hardware ID.`}
      />
      <div className={styles.halves}>
        <NumberField
          {...field("settings.deviceIdleDays")}
          helperText={t`1 to 365, or empty for never. When all seats are taken, a new device gets that of the device unseen for the longest time. Blocked devices and those with a license file keep theirs.`}
        />
        <HardwareIdKindsField {...field("settings.hardwareIdKinds")} />
      </div>
      <FormCheckbox
        {...field("settings.appDeviceRelease")}
        look="switch"
        label={t`Applications may free seats`}
        helperText={t`A device that finds all seats of a Concurrent license taken lists the others by name and frees one of them, there and then.`}
      />
      <NumberField
        {...field("settings.appReleasesPerYear")}
        helperText={t`0 to 1000 for each license, apart from what its holders may free in the portal.`}
        required
        demand={{ minimum: 0 }}
      />
    </Column>
  </Section>
);

/** Settings for license files, the portal and downloads. */
const LicensesSection = ({ form: { field } }: SectionProps) => (
  <Section title={t`Licenses and downloads`} help="offline">
    <Column gap="l">
      <div className={styles.halves}>
        <NumberField
          {...field("settings.offlineFileLifetimeDays")}
          helperText={t`1 to 3650, or empty for the term of the license. A revoked license keeps working offline until its file must be refreshed.`}
        />
        <NumberField
          {...field("settings.deviceReleasesPerYear")}
          helperText={t`0 to 1000. How often an end user may free a seat in the portal.`}
          required
          demand={{ minimum: 0 }}
        />
      </div>
      <FormField
        {...field("settings.defaultChannel")}
        helperText={t`New licenses get its highest published release; if it has none, the highest of all channels.`}
        required
      />
      <FormCheckbox
        {...field("settings.downloadsNeedLicense")}
        look="switch"
        label={t`Downloads require a license`}
        helperText={t`Applications can download files only with the key of a valid license. If off, the product key is enough.`}
      />
    </Column>
  </Section>
);

type NumberName = Exclude<
  `settings.${keyof SettingsDraft["settings"]}`,
  | "settings.downloadsNeedLicense"
  | "settings.defaultChannel"
  | "settings.trialOncePerDevice"
  | "settings.hardwareIdKinds"
  | "settings.appDeviceRelease"
>;

/** A setting that is a number; what is wrong with it changes with others, and is said then. */
const NumberField = (props: FormFieldProps<SettingsDraft, NumberName>) => (
  <FormField type="number" slotProps={{ formHelperText: { "aria-live": "polite" } }} {...props} />
);

/** Deletes the product. */
function DangerZone({ product }: { product: Product }) {
  const [isAsked, setAsked] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const count = product.licenseCount ?? 0;
  return (
    <Section title={t`Delete product`}>
      <Typography color="textSecondary" className={styles.warning}>
        {t`This permanently deletes the product with its releases, files, features, entitlement sets and keys.`}{" "}
        {count > 0 &&
          t`It has ${plural(count, { one: "# license", other: "# licenses" })}, which you must delete first.`}
      </Typography>
      <Button variant="outlined" color="error" onClick={() => setAsked(true)}>
        {t`Delete product`}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={t`Delete product`}
          action={t`Delete product`}
          danger
          typed={product.name}
          consequence={t`This permanently deletes its releases, files, features, entitlement sets, RSA keys and product keys. Applications that use one of its product keys are rejected. This cannot be undone.`}
          onConfirm={async () => {
            await api.DELETE("/api/products/{productId}", at({ productId: product.id }));
            queryClient.removeQueries({ queryKey: listKey("products") });
            await navigate("/products", { replace: true, state: UNGUARDED });
            notify(t`Product deleted.`, { type: "success" });
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </Section>
  );
}

const GENERAL = fieldsOf({
  name: TEXT,
  description: OPTIONAL_MARKDOWN,
  accessType: chosen<AccessType>(),
});

const SETTINGS = fieldsOf({
  heartbeatIntervalSeconds: NUMBER,
  sessionTimeoutSeconds: NUMBER,
  heartbeatMinSpacingSeconds: NUMBER,
  offlineFileLifetimeDays: OPTIONAL_NUMBER,
  deviceReleasesPerYear: NUMBER,
  appDeviceRelease: {
    read: (release?: Settings["appDeviceRelease"]) => release === "On",
    send: (isOn: boolean) => (isOn ? ("On" as const) : ("Off" as const)),
  },
  appReleasesPerYear: NUMBER,
  downloadsNeedLicense: chosen<boolean>(),
  defaultChannel: TEXT,
  trialOncePerDevice: chosen<boolean>(),
  deviceIdleDays: OPTIONAL_NUMBER,
  /** None for the default. */
  hardwareIdKinds: {
    read: (kinds?: HardwareIdKind[] | null) => kinds ?? [],
    send: (kinds: HardwareIdKind[]) => (kinds.length > 0 ? [...kinds].sort() : null),
  },
});

type Settings = Product["settings"];

interface SettingsDraft extends DraftOf<typeof GENERAL> {
  settings: DraftOf<typeof SETTINGS>;
}

const draftOf = (product: Product): SettingsDraft => ({
  ...GENERAL.draftOf({ ...product, description: product.description ?? null }),
  settings: SETTINGS.draftOf(product.settings),
});

/** The request body with what differs from the product. */
function changeOf(draft: SettingsDraft, product: Product): Schemas["ProductChange"] {
  const settings = changed(SETTINGS.bodyOf(draft.settings), product.settings);
  return {
    ...changed(GENERAL.bodyOf(draft), product),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

/** What is wrong with settings of the sessions beside each other, by field. */
function breachesOf(settings: SettingsDraft["settings"]) {
  const interval = Number(settings.heartbeatIntervalSeconds);
  const timeout = Number(settings.sessionTimeoutSeconds);
  const spacing = Number(settings.heartbeatMinSpacingSeconds);
  return {
    ...(timeout < 2 * interval && {
      "settings.sessionTimeoutSeconds": t`Must be at least ${{ least: String(2 * interval) }}, twice the heartbeat interval. Otherwise one late heartbeat would end the session.`,
    }),
    ...(spacing > interval && {
      "settings.heartbeatMinSpacingSeconds": t`Must be at most ${{ most: String(interval) }}, the heartbeat interval. Otherwise heartbeats would be rejected.`,
    }),
  };
}
