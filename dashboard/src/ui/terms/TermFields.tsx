import { type Path, type PathValue, useWatch } from "react-hook-form";
import type { LicenseType } from "../../api/types";
import { FormField } from "../form/FormField";
import type { ApiForm } from "../form/useApiForm";
import { Row } from "../layout/layout";
import { type Group, type NamedTerm, type TermDraft, termsIn } from "./terms";

interface TermFieldsProps<Values extends TermDraft> {
  form: ApiForm<Values>;
  type: LicenseType;
  group: Group;
  /** Whether they are a policy's, which may leave some to the license. */
  areOpen?: true;
}

/** The fields for the terms of a group that the model has; those of half a line share one. */
export function TermFields<Values extends TermDraft>({
  group,
  ...shared
}: TermFieldsProps<Values>) {
  const terms = termsIn(shared.type, group);
  const fields = (areHalf: boolean) =>
    terms
      .filter(([, { isHalf = false }]) => isHalf === areHalf)
      .map((term) => <OneTerm key={term[0]} {...shared} term={term} />);
  const halves = fields(true);
  return (
    <>
      {halves.length > 0 && (
        <Row gap="l" align="stretch" folds>
          {halves}
        </Row>
      )}
      {fields(false)}
    </>
  );
}

type OneTermProps<Values extends TermDraft> = Omit<TermFieldsProps<Values>, "group"> & {
  term: NamedTerm;
};

function OneTerm<Values extends TermDraft>({ form, type, areOpen, term }: OneTermProps<Values>) {
  const [name, { kind, label, asked, help, open, unless, demand }] = term;
  const [other, without] = unless ?? [name];
  const [present, condition] = useWatch({
    control: form.control,
    name: [name as Path<Values>, other as Path<Values>],
  }) as PathValue<Values, Path<Values>>[] as string[];
  if (unless && condition === without) return null;
  const { step, ...demanded } = demand?.(type) ?? {};
  const options = kind.choices?.(present ?? "").map((text) => [text, wordsOf(text)] as const);
  return (
    <FormField
      {...form.field(name as Path<Values>)}
      label={asked?.(type) ?? label}
      helperText={typeof help === "function" ? help(type) : help}
      {...(demand && { demand: demanded })}
      {...(step && { input: { step, inputMode: "decimal" } })}
      {...(options
        ? {
            options: areOpen && open ? [["", open], ...options] : options,
            slotProps: { select: { displayEmpty: true } },
          }
        : { type: "number" })}
    />
  );

  function wordsOf(text: string) {
    return kind.words(kind.value(text));
  }
}
