import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { HideIcon, ShowIcon } from "../../ui/icons";
import { CopyField } from "../../ui/CopyField";
import { Section } from "../../ui/Section";
import { masked } from "../credentials/masked";

interface ProductKeySectionProps {
  productKey: string;
  isShown: boolean;
  onToggle: () => void;
}

/** The newest product key, masked until the user shows it. */
export const ProductKeySection = ({ productKey, isShown, onToggle }: ProductKeySectionProps) => (
  <Section
    title={t`Product key`}
    subtitle={t`Your application sends it as X-API-KEY with each request. It allows only what an application needs.`}
    help="product-keys"
    actions={
      <Button size="small" startIcon={isShown ? <HideIcon /> : <ShowIcon />} onClick={onToggle}>
        {isShown ? t`Hide` : t`Show`}
      </Button>
    }
  >
    <CopyField
      label={t`Product key`}
      value={productKey}
      shown={isShown ? productKey : masked(productKey)}
    />
  </Section>
);
