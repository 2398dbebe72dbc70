import { t } from "@lingui/core/macro";
import FormControl from "@mui/material/FormControl";
import FormLabel from "@mui/material/FormLabel";
import RadioGroup from "@mui/material/RadioGroup";
import { useId } from "react";
import type { FieldValues, Path } from "react-hook-form";
import { Choice } from "../../ui/form/Choice";
import type { FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { KIND_LABELS, type ConnectorKind } from "../connector";
import { SHOPS } from "./kinds";

type KindFieldProps<Values extends FieldValues, Name extends Path<Values>> = FieldProps<
  Values,
  Name
> & {
  /** What else happens when another one is chosen. */
  onValue: (kind: ConnectorKind) => void;
};

const KINDS = Object.keys(KIND_LABELS) as ConnectorKind[];

/** The kind of shop, which cannot be changed later. */
export function KindField<Values extends FieldValues, Name extends Path<Values>>({
  onValue,
  ...props
}: KindFieldProps<Values, Name>) {
  const id = useId();
  const { value, set } = useField(props);
  return (
    <FormControl>
      <FormLabel id={id}>{t`Where do you sell?`}</FormLabel>
      <RadioGroup
        aria-labelledby={id}
        value={value}
        onChange={(_, chosen) => {
          set(chosen);
          onValue(chosen as ConnectorKind);
        }}
      >
        {KINDS.map((kind) => (
          <Choice
            key={kind}
            value={kind}
            label={KIND_LABELS[kind]}
            meaning={SHOPS[kind].summary}
            autoFocus={kind === value}
          />
        ))}
      </RadioGroup>
    </FormControl>
  );
}
