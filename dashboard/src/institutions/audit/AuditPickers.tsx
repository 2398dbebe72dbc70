import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import type { EditorProps } from "../../ui/list/filters/filter";
import { useListContext } from "../../ui/list/useList";
import { TwoLines } from "../../ui/table/cells";
import { useEarlyEnter } from "../../ui/useEarlyEnter";
import { useTypedFilter } from "../../ui/useTypedFilter";
import styles from "./audit.module.css";

interface Choice {
  id: string;
  name: string;
  detail?: string | null;
  /** What kind of thing it is, if there are several. */
  kind?: string;
}

const AT_ONCE = 10;

/** Names and addresses need more room than a field of a toolbar has. */
const CHOICES_PX = 340;

/** Of what was found for an earlier text, nothing is an answer. */
const found = { placeholderData: keepPreviousData, staleTime: 30_000 };

interface PickerProps {
  label: string;
  placeholder: string;
  none: string;
  value: Choice | null;
  choices: readonly Choice[];
  isBusy: boolean;
  onSearch: (text: string) => void;
  onChange: (choice: Choice | null) => void;
}

/** Picks one of what the server finds. */
function Picker(props: PickerProps) {
  const { label, placeholder, none, value, choices, isBusy, onSearch, onChange } = props;
  const onKeyDown = useEarlyEnter(isBusy);
  const isGrouped = choices.some(({ kind }) => kind !== undefined);
  return (
    <Autocomplete<Choice>
      className={styles.picker}
      autoHighlight
      openOnFocus
      onKeyDown={onKeyDown}
      options={choices}
      value={value}
      loading={isBusy}
      loadingText={t`Searching…`}
      noOptionsText={none}
      slotProps={{ popper: { style: { width: CHOICES_PX }, placement: "bottom-start" } }}
      filterOptions={(options) => options}
      {...(isGrouped && { groupBy: ({ kind = "" }: Choice) => kind })}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(option, other) => option.id === other.id}
      onInputChange={(_, text, reason) => onSearch(reason === "input" ? text.trim() : "")}
      onChange={(_, choice) => onChange(choice)}
      renderOption={({ key, ...option }, { name, detail }) => (
        <li key={key} {...option}>
          <TwoLines second={detail}>{name}</TwoLines>
        </li>
      )}
      renderInput={(params) => (
        <TextField {...params} autoFocus label={label} placeholder={placeholder} />
      )}
    />
  );
}

/** The text that the server is asked for once the user stops typing. */
function useSearched() {
  const [search, setSearch] = useState("");
  const [text, setText] = useTypedFilter(search, setSearch);
  return { search, setText, isTyping: text !== search };
}

interface PersonFilterProps extends Pick<EditorProps, "onDone"> {
  institutionId: string | null;
}

/** Narrows the log to what one person did: a member, or in the log of the service any user. */
export function PersonFilter({ institutionId, onDone }: PersonFilterProps) {
  const { filters, setFilters } = useListContext();
  const { search, setText, isTyping } = useSearched();
  const query = { search, pageSize: AT_ONCE };
  const isOfService = institutionId === null;
  const members = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/members",
    { params: { path: { institutionId: institutionId ?? "" }, query } },
    { enabled: !isOfService, ...found },
  );
  const users = $api.useQuery(
    "get",
    "/api/users",
    { params: { query } },
    { enabled: isOfService, ...found },
  );
  const { actorId, actor } = filters;
  return (
    <Picker
      label={t`Person`}
      placeholder={t`Everyone`}
      none={t`Nobody found`}
      value={actorId ? { id: actorId, name: actor ?? t`One user or key` } : null}
      choices={[
        ...(members.data?.items ?? []).map(({ userId: id, fullName: name, email: detail }) => ({
          id,
          name,
          detail,
        })),
        ...(users.data?.items ?? []).map(({ id, fullName: name, email: detail }) => ({
          id,
          name,
          detail,
        })),
      ]}
      isBusy={isTyping || members.isFetching || users.isFetching}
      onSearch={setText}
      onChange={(choice) => {
        setFilters({ actorId: choice?.id, actor: choice?.name });
        if (choice) onDone();
      }}
    />
  );
}

const KINDS: Record<Schemas["SearchHit"]["kind"], string> = {
  License: t`Licenses`,
  Customer: t`Customers`,
  Product: t`Products`,
  Release: t`Releases`,
  Device: t`Devices`,
  Session: t`Sessions`,
};

interface ItemFilterProps extends Pick<EditorProps, "onDone"> {
  institutionId: string;
}

/** Narrows the log to what happened to one item, which is found as it is anywhere: by name or number. */
export function ItemFilter({ institutionId, onDone }: ItemFilterProps) {
  const { filters, setFilters } = useListContext();
  const { search, setText, isTyping } = useSearched();
  const enabled = search !== "";
  const things = $api.useQuery(
    "get",
    "/api/search",
    { params: { query: { q: search, institutionId } } },
    { enabled, ...found },
  );
  const orders = $api.useQuery(
    "get",
    "/api/orders",
    { params: { query: { search, institutionId, pageSize: AT_ONCE } } },
    { enabled, ...found },
  );
  const { subjectId, subject } = filters;
  const choices: Choice[] = [
    ...(things.data?.groups ?? []).flatMap(({ kind, items }) =>
      items.map(({ id, title: name, detail, productName }) => ({
        id,
        name,
        detail: [detail, productName].filter(Boolean).join(" · "),
        kind: KINDS[kind],
      })),
    ),
    ...(orders.data?.items ?? []).map(({ id, externalId: name, customerName: detail }) => ({
      id,
      name,
      detail,
      kind: t`Orders`,
    })),
  ];
  return (
    <Picker
      label={t({ message: "Item", context: "of the audit log" })}
      placeholder={t`All`}
      none={enabled ? t`Nothing found` : t`Type a name, a number or a key.`}
      value={subjectId ? { id: subjectId, name: subject ?? t`One item` } : null}
      choices={enabled ? choices : []}
      isBusy={isTyping || things.isFetching || orders.isFetching}
      onSearch={setText}
      onChange={(choice) => {
        setFilters({ subjectId: choice?.id, subject: choice?.name });
        if (choice) onDone();
      }}
    />
  );
}
