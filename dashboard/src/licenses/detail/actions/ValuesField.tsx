import { t } from "@lingui/core/macro";
import type { FieldProps } from "../../../ui/form/useApiForm";
import { useField } from "../../../ui/form/useField";
import { FeatureValueFields, missingIn, type ValuedFeature } from "../../FeatureValueFields";
import type { Pair } from "../../../ui/pairs";
import type { Draft } from "./draft";

type ValuesFieldProps = FieldProps<Draft, "featureValues"> & {
  features: readonly ValuedFeature[];
};

/** The license's own values of features. */
export function ValuesField({ features, ...field }: ValuesFieldProps) {
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
