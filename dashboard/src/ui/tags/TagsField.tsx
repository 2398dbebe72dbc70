import { plural, t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import type { FieldValues, Path } from "react-hook-form";
import type { FieldProps } from "../form/useApiForm";
import { useField } from "../form/useField";
import { distinctTags, type Tagged, TAG_LENGTH, TAGS_MAX, useKnownTags } from "./knownTags";

type TagsFieldProps<Values extends FieldValues, Name extends Path<Values>> = FieldProps<
  Values,
  Name
> & { of: Tagged; institutionId: string | null };

const faultOf = (tags: unknown) =>
  (tags as readonly string[]).length > TAGS_MAX
    ? plural({ most: TAGS_MAX }, { other: "At most # tags." })
    : undefined;

/** A field of a form for tags, which completes those that are in use. */
export function TagsField<Values extends FieldValues, Name extends Path<Values>>(
  props: TagsFieldProps<Values, Name>,
) {
  const { of, institutionId, ...rest } = props;
  const { value, set, ref, message } = useField(rest, { fault: faultOf });
  const known = useKnownTags(of, institutionId);
  return (
    <Autocomplete<string, true, false, true>
      multiple
      freeSolo
      autoSelect
      filterSelectedOptions
      options={known}
      value={value as string[]}
      onChange={(_, tags) => set(distinctTags(tags))}
      renderInput={(params) => (
        <TextField
          {...params}
          label={t`Tags`}
          inputRef={ref}
          error={message !== undefined}
          helperText={message ?? t`Press Enter after each tag. Upper and lower case are the same.`}
          slotProps={{
            ...params.slotProps,
            htmlInput: { ...params.slotProps.htmlInput, maxLength: TAG_LENGTH },
          }}
        />
      )}
    />
  );
}
