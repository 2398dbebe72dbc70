import { t } from "@lingui/core/macro";
import { useField } from "../../ui/form/useField";
import { ProductPicker } from "../../ui/ProductPicker";
import { Section } from "../../ui/Section";
import styles from "./issue.module.css";
import { WITHOUT_PRODUCT } from "./issueDraft";
import { KeysNotice } from "./KeysNotice";
import { PolicyField } from "./PolicyField";
import { ReleaseField } from "./ReleaseField";
import type { IssueForm } from "./useIssueForm";

interface ProductSectionProps {
  form: IssueForm;
  /** Whether the page begins here. */
  isNext: boolean;
}

/** Product, policy and release. */
export function ProductSection({ form, isNext }: ProductSectionProps) {
  const { value, set, message } = useField(form.field("productId"));
  const { product } = form;
  return (
    <Section title={t`Product and policy`} help="policies">
      <div className={styles.fields}>
        <ProductPicker
          value={value}
          required
          autoFocus={isNext}
          error={message}
          onChange={(productId) => {
            set(productId);
            form.fill(WITHOUT_PRODUCT);
          }}
        />
        {value && <PolicyField form={form} />}
        {value && <ReleaseField form={form} />}
        {product && !product.hasKeys && (
          <div className={styles.wide}>
            <KeysNotice product={product} />
          </div>
        )}
      </div>
    </Section>
  );
}
