import { t } from "@lingui/core/macro";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { FormField } from "../../ui/form/FormField";
import { useField } from "../../ui/form/useField";
import { MODEL_LABELS } from "../../ui/labels";
import { termsOf } from "../../ui/policyTerms";
import { ProductPicker } from "../../ui/ProductPicker";
import { Section } from "../../ui/Section";
import { ChoiceCards } from "./ChoiceCards";
import styles from "./issue.module.css";
import { draftUnder, WITHOUT_PRODUCT } from "./issueDraft";
import { useLastTerms } from "./keptDraft";
import { KeysNotice } from "./KeysNotice";
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
  const termsOfLast = useLastTerms();
  const choose = async (productId: string | null) => {
    set(productId);
    form.fill(WITHOUT_PRODUCT);
    if (productId === null) return;
    const terms = await termsOfLast(productId);
    const { productId: chosen, policyId } = form.getValues();
    // Another product or a policy may be chosen meanwhile.
    if (chosen === productId && policyId === "") form.fill(terms);
  };
  return (
    <Section title={t`Product and policy`} help="policies">
      <div className={styles.fields}>
        <ProductPicker
          value={value}
          required
          autoFocus={isNext}
          error={message}
          onChange={(productId) => void choose(productId)}
        />
        {value && <ReleaseField form={form} />}
        {value && <PolicyField form={form} />}
        {product && !product.hasKeys && (
          <div className={styles.wide}>
            <KeysNotice product={product} />
          </div>
        )}
      </div>
    </Section>
  );
}

type Release = Schemas["Release"];

/** The releases of the chosen product, without the yanked ones. */
export function useReleases(productId: string | null) {
  const { data } = $api.useQuery(
    "get",
    "/api/products/{productId}/releases",
    {
      params: {
        path: { productId: productId ?? "" },
        query: { pageSize: 100, sort: "-createdAt" },
      },
    },
    { enabled: productId !== null },
  );
  const releases = (data?.items ?? []).filter((release) => release.status !== "Yanked");
  return { releases, isRead: data !== undefined };
}

/** What the release of a license is if none is chosen; `undefined` if none is published. */
export const defaultRelease = (releases: Release[], product: Schemas["Product"] | undefined) =>
  product && releases.some(({ status }) => status === "Published")
    ? t`The highest of ${{ channel: product.settings.defaultChannel }}`
    : undefined;

/** A release in a list of choices: "2.0.0 Stable". */
export const named = ({ version, channel, status }: Release) =>
  status === "Published" ? `${version} ${channel}` : t`${version} ${channel} (draft)`;

/** The release the license is for. */
function ReleaseField({ form }: { form: IssueForm }) {
  const { releases, isRead } = useReleases(form.draft.productId);
  const byDefault = defaultRelease(releases, form.product);
  return (
    <FormField
      {...form.field("softwareReleaseId")}
      disabled={!isRead}
      helperText={
        isRead && !byDefault
          ? t`The product has no published release. Publish one first, or choose a draft.`
          : t`Applications with a higher major version than this release are rejected.`
      }
      slotProps={{ select: { displayEmpty: true } }}
      options={[
        ["", byDefault ?? (isRead ? t`None published` : t`Loading…`)],
        ...releases.map((release) => [release.id, named(release)] as const),
      ]}
    />
  );
}

/** The policies of a product. */
export function usePolicies(productId: string | null) {
  const { data } = $api.useQuery(
    "get",
    "/api/policies",
    { params: { query: { productId: productId ?? "", pageSize: 100, sort: "name" } } },
    { enabled: productId !== null },
  );
  return data?.items ?? [];
}

/** As many policies stand beside each other as cards; more are a select. */
const CARDS_MAX = 6;

/** The policy that the license is issued under; it fills in the terms. */
function PolicyField({ form }: { form: IssueForm }) {
  const policies = usePolicies(form.draft.productId);
  const chosen = policies.find(({ id }) => id === form.draft.policyId);
  const fillIn = (policyId: string) => {
    const policy = policies.find(({ id }) => id === policyId);
    form.fill(policy ? draftUnder(policy) : { policyTerm: "" });
  };
  if (policies.length === 0) return null;
  if (policies.length > CARDS_MAX)
    return (
      <FormField
        {...form.field("policyId")}
        helperText={chosen ? termsOf(chosen) : t`A policy fills in the model and the terms.`}
        slotProps={{ select: { displayEmpty: true } }}
        onValue={fillIn}
        options={[["", t`None`], ...policies.map(({ id, name }) => [id, name] as const)]}
      />
    );
  return (
    <div className={styles.wide}>
      <ChoiceCards
        {...form.field("policyId")}
        label={t`Policy`}
        onValue={fillIn}
        choices={[
          { value: "", label: t`None`, text: t`You choose the model and the terms.` },
          ...policies.map((policy) => ({
            value: policy.id,
            label: policy.name,
            text: `${MODEL_LABELS[policy.type]}, ${termsOf(policy)}`,
          })),
        ]}
      />
    </div>
  );
}
