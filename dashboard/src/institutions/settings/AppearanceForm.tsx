import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { useWatch } from "react-hook-form";
import { AppearanceChange } from "../../api/checks";
import { $api, api, at } from "../../api/client";
import { changed, fieldsOf, OPTIONAL_TEXT, textOrNull } from "../../api/fields";
import type { Schemas } from "../../api/types";
import { CopyField } from "../../ui/CopyField";
import { getContrastRatio } from "@mui/material/styles";
import { number } from "../../ui/formats";
import { FormField } from "../../ui/form/FormField";
import { SaveForm } from "../../ui/form/SaveForm";
import { useApiForm } from "../../ui/form/useApiForm";
import { ImagePicker, putImage } from "../../ui/ImagePicker";
import { Column } from "../../ui/layout/layout";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { COLOR, PortalPreview } from "./PortalPreview";
import styles from "./settings.module.css";
import { useAct } from "../../ui/useAct";
import { serviceUrl } from "../../api/address";

type Appearance = Schemas["Appearance"];

/** The text in the other language of the portal; texts in further ones, which the API takes, stay. */
const IN_GERMAN = {
  read: (value: Record<string, string | null> | undefined) => value?.["de"] ?? "",
  send: (draft: string): Record<string, string | null> => ({ de: textOrNull(draft) }),
};

/** Where the picker begins while there is no color. */
const UNCOLORED = "#4338ca";

const FIELDS = fieldsOf({
  displayName: OPTIONAL_TEXT,
  color: OPTIONAL_TEXT,
  welcome: OPTIONAL_TEXT,
  welcomeTranslations: IN_GERMAN,
  supportEmail: OPTIONAL_TEXT,
  supportUrl: OPTIONAL_TEXT,
  renewalUrl: OPTIONAL_TEXT,
});

/** The contrast that text needs with its background, after WCAG 2.2; the server checks it, too. */
const READABLE = 4.5;

const ratioOf = (color: string): string =>
  `${number(Number(getContrastRatio("#fff", color).toFixed(1)))}:1`;

/** What the server refuses, while the color is still chosen. */
const faultOfColor = (color: string): string | undefined =>
  COLOR.test(color) && getContrastRatio("#fff", color) < READABLE
    ? t`Too light: white text on it has a contrast of ${{ ratio: ratioOf(color) }}, and needs ${{ least: `${number(READABLE)}:1` }}.`
    : undefined;

/** How the institution looks to its customers in the portal. */
export function AppearanceForm({ institutionId }: { institutionId: string }) {
  const { data, error, refetch } = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/appearance",
    at({ institutionId }),
  );
  return (
    <Section
      title={t`Appearance`}
      help="portal"
      subtitle={t`How customers see you in the portal. If you leave all of it empty, they see the name of the institution.`}
    >
      {error && <ProblemAlert error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton variant="rounded" height={320} />}
      {data && (
        <Column gap="l">
          <LogoField appearance={data} />
          <Words appearance={data} />
          <CopyField
            label={t`Portal link, for your website and your emails`}
            value={serviceUrl(`/portal/access?vendor=${institutionId}`)}
          />
        </Column>
      )}
    </Section>
  );
}

function Words({ appearance }: { appearance: Appearance }) {
  const form = useApiForm({
    values: FIELDS.draftOf(appearance),
    checks: AppearanceChange,
    send: (draft) =>
      api.PUT("/api/institutions/{institutionId}/appearance", {
        ...at({ institutionId: appearance.institutionId }),
        body: changed(FIELDS.bodyOf(draft), appearance),
      }),
    done: t`Appearance saved.`,
  });
  const { field } = form;
  const draft = useWatch({ control: form.control }) as ReturnType<typeof FIELDS.draftOf>;
  return (
    <div className={styles.beside}>
      <SaveForm form={form}>
        <FormField {...field("displayName")} input={{ dir: "auto" }} />
        <FormField
          {...field("color")}
          placeholder="#1a56db"
          input={{ spellCheck: false }}
          slotProps={{
            input: {
              startAdornment: (
                <input
                  type="color"
                  aria-label={t`Pick a color`}
                  className={styles.color}
                  value={COLOR.test(draft.color) ? draft.color : UNCOLORED}
                  onChange={({ target }) =>
                    form.setValue("color", target.value, {
                      shouldDirty: true,
                      shouldValidate: true,
                    })
                  }
                />
              ),
            },
          }}
          fault={faultOfColor}
          helperText={
            COLOR.test(draft.color)
              ? (faultOfColor(draft.color) ??
                t`For buttons and links. White text on it has a contrast of ${{ ratio: ratioOf(draft.color) }}, which is readable.`)
              : t`For buttons and links, as #rrggbb. White text must be readable on it.`
          }
        />
        <FormField
          {...field("welcome")}
          multiline
          minRows={2}
          input={{ dir: "auto" }}
          helperText={t`A few words above the licenses and in the email with the portal link. Customers read it whose language has no text of its own.`}
        />
        <FormField
          {...field("welcomeTranslations")}
          label={t`Welcome in German`}
          multiline
          minRows={2}
          input={{ dir: "auto", lang: "de" }}
        />
        <FormField {...field("supportEmail")} type="email" />
        <FormField {...field("supportUrl")} type="url" placeholder="https://example.com/help" />
        <FormField
          {...field("renewalUrl")}
          placeholder="https://example.com/renew?key={licenseKey}"
          input={{ spellCheck: false, inputMode: "url" }}
          helperText={t`Where customers renew, behind the button in the portal and in reminders. ${{ placeholder: "{licenseKey}" }} becomes their key. A license or policy with renewUrl in its metadata has a page of its own.`}
        />
      </SaveForm>
      <PortalPreview
        vendor={{
          ...appearance,
          ...FIELDS.bodyOf(draft),
          welcomeTranslations: draft.welcomeTranslations ? { de: draft.welcomeTranslations } : {},
        }}
      />
    </div>
  );
}

/** The logo of the institution, which is saved as soon as it is chosen. */
function LogoField({ appearance }: { appearance: Schemas["Appearance"] }) {
  const { institutionId, logoUrl } = appearance;
  const { busy, act } = useAct();
  const remove = () => api.DELETE("/api/institutions/{institutionId}/logo", at({ institutionId }));
  return (
    <ImagePicker
      label={logoUrl ? t`Replace logo` : t`Upload logo`}
      seenBy={t`Visible to everyone.`}
      preview={logoUrl && serviceUrl(logoUrl)}
      onPick={({ file }) => {
        const path = `/api/institutions/${institutionId}/logo`;
        void act(t`Logo updated.`, () => putImage(path, file));
      }}
    >
      {logoUrl && (
        <Button loading={busy} onClick={() => void act(t`Logo removed.`, remove)}>
          {t`Remove logo`}
        </Button>
      )}
    </ImagePicker>
  );
}
