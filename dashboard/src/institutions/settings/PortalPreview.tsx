import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { type CSSProperties, useState } from "react";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { date, relative } from "../../ui/formats";
import { LOCALES, locale, type Locale } from "../../ui/locale/locale";
import { Muted } from "../../ui/Muted";
import { useInstitution } from "../../ui/useInstitution";
import { VendorMark, Welcome } from "../../ui/vendor/vendor";
import styles from "./settings.module.css";

/** A whole color; others have no effect yet. */
export const COLOR = /^#[0-9a-f]{6}$/i;

/** The time that the license of the preview has left, which the portal calls near. */
const LEFT_MS = 20 * 86_400_000;

/** How customers will see the portal with what the form says now; its button does nothing. */
export function PortalPreview({ vendor }: { vendor: Schemas["Appearance"] }) {
  const [language, setLanguage] = useState(locale);
  const { color } = vendor;
  const { institutionId, institutionName } = useInstitution();
  const { data } = $api.useQuery(
    "get",
    "/api/products",
    { params: { query: { institutionId: institutionId ?? null, sort: "name", pageSize: 1 } } },
    { enabled: institutionId !== undefined },
  );
  const product = data?.items[0]?.name;
  const [end] = useState(() => new Date(Date.now() + LEFT_MS).toISOString());
  const accent = color && COLOR.test(color) ? ({ "--vendor": color } as CSSProperties) : undefined;
  return (
    <figure className={styles.preview} style={accent} data-colored={accent && ""}>
      <figcaption>{t`Preview`}</figcaption>
      <ToggleButtonGroup
        exclusive
        size="small"
        aria-label={t`Language of the welcome`}
        value={language}
        onChange={(_, chosen: Locale | null) => {
          if (chosen) setLanguage(chosen);
        }}
      >
        {Object.entries(LOCALES).map(([tag, name]) => (
          <ToggleButton key={tag} value={tag} lang={tag}>
            {name}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <div inert>
        <p className={styles.previewBar}>
          <VendorMark vendor={{ ...vendor, displayName: vendor.displayName || institutionName }} />
        </p>
        <Welcome vendor={vendor} language={language} />
        <div className={styles.previewLicense}>
          <strong>{product ?? t`Product`}</strong>
          <Muted component="span">{t`Team license`}</Muted>
          <strong className={styles.previewEnd}>{t`Ends ${{ when: relative(end) }}`}</strong>
          <Muted component="span">{t`Expires ${{ end: date(end) }}`}</Muted>
          {vendor.renewalUrl && (
            <Button variant="outlined" size="small">
              {t`Renew`}
            </Button>
          )}
        </div>
      </div>
      {accent && (
        <Muted>{t`In the dark theme it is a lighter shade of the color, so that it can be read.`}</Muted>
      )}
    </figure>
  );
}
