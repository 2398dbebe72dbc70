import { t } from "@lingui/core/macro";
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
  const { draft, set, errors, product } = form;
  return (
    <Section title={t`Product and policy`} help="policies">
      <div className={styles.fields}>
        <ProductPicker
          value={draft.productId}
          required
          autoFocus={isNext}
          error={errors.productId}
          onChange={(productId) => {
            set({ productId, ...WITHOUT_PRODUCT });
          }}
        />
        {draft.productId && <PolicyField form={form} />}
        {draft.productId && <ReleaseField form={form} />}
        {product && !product.hasKeys && (
          <div className={styles.wide}>
            <KeysNotice product={product} />
          </div>
        )}
      </div>
    </Section>
  );
}
