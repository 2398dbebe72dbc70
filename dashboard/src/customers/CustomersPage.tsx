import { t } from "@lingui/core/macro";
import { Suspense } from "react";
import { useNavigate } from "react-router";
import type { Schemas } from "../api/types";
import { EmptyState } from "../ui/EmptyState";
import { CustomerIcon } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { DataList } from "../ui/list/DataList";
import type { FilterKind } from "../ui/list/filters/filter";
import { SearchFilter } from "../ui/list/SearchFilter";
import { useListContext } from "../ui/list/useList";
import type { ListView } from "../ui/list/views/view";
import { Page } from "../ui/Page";
import { Table } from "../ui/table/Table";
import { useCan, useInstitution } from "../ui/useInstitution";
import { COLUMNS, pathOf } from "./list/columns";
import { CustomerBar } from "./list/CustomerBar";
import type { Listed } from "./list/customerBulk";
import { useUrlParams } from "../ui/useUrlParams";
import { AddButton } from "../ui/AddButton";

const CustomerDialog = lazy(() => import("./CustomerDialog"));

/** `?act=` of it opens the dialog. */
const ADD = "add";

/** The people and companies that licenses are issued to. */
export default function CustomersPage() {
  const { institutionId } = useInstitution();
  const can = useCan();
  const { params, change } = useUrlParams();
  const navigate = useNavigate();
  const isShown = can.role !== "Member" || can.isSystemAdmin;
  return (
    <Page
      title={t`Customers`}
      help="customers"
      subtitle={t`The people and companies that hold your licenses. Customers are added automatically when you issue a license.`}
      actions={
        can.manage &&
        institutionId && (
          <AddButton onClick={() => change({ act: ADD })}>{t`Add customer`}</AddButton>
        )
      }
    >
      {institutionId && isShown && (
        <CustomerList institutionId={institutionId} manage={can.manage} />
      )}
      {(institutionId === null || !isShown) && (
        <EmptyState icon={<CustomerIcon />} title={t`You cannot see customers`}>
          {t`Owners, Admins and Viewers of an institution can.`}
        </EmptyState>
      )}
      {params.get("act") === ADD && can.manage && institutionId && (
        <Suspense fallback={null}>
          <CustomerDialog
            institutionId={institutionId}
            onClose={() => change({ act: null }, true)}
            onSaved={(customer) => void navigate(pathOf(customer))}
          />
        </Suspense>
      )}
    </Page>
  );
}

const HOLDING_WORDS: Record<Schemas["Holding"], string> = {
  Active: t`With an active license`,
  NoActive: t`No active license`,
  Expired: t`Has expired license`,
};

const NEWEST_FIRST = "-createdAt";

const KINDS: readonly FilterKind[] = [
  { name: "licenses", label: t`Licenses`, choices: Object.entries(HOLDING_WORDS) },
  { name: "tag", label: t`Tag`, editor: "tag", tagged: "customers" },
];

const BUILT_IN_VIEWS: readonly ListView[] = [
  { label: t`All`, filter: {}, sort: NEWEST_FIRST },
  ...(["NoActive", "Expired"] as const).map((licenses) => ({
    label: HOLDING_WORDS[licenses],
    filter: { licenses },
    sort: NEWEST_FIRST,
  })),
];

interface CustomerListProps {
  institutionId: string;
  manage: boolean;
}

const CustomerList = ({ institutionId, manage }: CustomerListProps) => (
  <DataList
    path="customers"
    fixed={{ institutionId }}
    filterNames={["search", "tag", "licenses"]}
    sort={NEWEST_FIRST}
    views="Customers"
    builtInViews={BUILT_IN_VIEWS}
    hasCsv
    toolbar={<SearchFilter placeholder={t`Name, email, company or reference`} />}
    kinds={KINDS}
    nameOf={({ name }: Listed) => name}
    {...(manage && { bar: <CustomerBar /> })}
  >
    <CustomerTable />
  </DataList>
);

function CustomerTable() {
  const { selection } = useListContext<Listed>();
  return (
    <Table<Listed>
      label={t`Customers`}
      link={pathOf}
      none={
        <EmptyState icon={<CustomerIcon />} title={t`No customers found`}>
          {t`Issue a license to an email address, or add a customer.`}
        </EmptyState>
      }
      columns={COLUMNS}
      {...(selection && { selection })}
    />
  );
}
