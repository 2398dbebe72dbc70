import { t } from "@lingui/core/macro";
import { FormField } from "../../ui/form/FormField";
import type { ApiForm } from "../../ui/form/useApiForm";
import type { Draft } from "./template";

interface TextFieldsProps {
  form: ApiForm<Draft>;
  locale: string;
}

/** The sender of an email, and its text in a language. */
export const TextFields = ({ form: { field }, locale }: TextFieldsProps) => (
  <>
    <FormField
      {...field("senderName")}
      label={t`Sender`}
      helperText={t`Shown before the address. Leave it empty for the name of your institution.`}
    />
    <FormField
      {...field("replyTo")}
      label={t`Replies to`}
      type="email"
      helperText={t`Optional. Email address that replies go to.`}
    />
    <FormField
      key={`subject-${locale}`}
      {...field(`translations.${locale}.subject`)}
      label={t`Subject`}
      required
    />
    <FormField
      key={`body-${locale}`}
      {...field(`translations.${locale}.body`)}
      label={t`Text`}
      required
      multiline
      minRows={8}
      maxRows={24}
      helperText={t`Markdown is supported, images and HTML are not.`}
    />
  </>
);
