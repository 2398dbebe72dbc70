import { t } from "@lingui/core/macro";
import { Suspense } from "react";
import { useNavigate } from "react-router";
import { PersonEmblem } from "../ui/Emblem";
import { EmptyState } from "../ui/EmptyState";
import { CustomerIcon } from "../ui/icons";
import { Row } from "../ui/layout/layout";
import { lazy } from "../ui/lazy";
import { DataList } from "../ui/list/DataList";
import { SearchFilter } from "../ui/list/SearchFilter";
import { Page } from "../ui/Page";
import { TagChips } from "../ui/tags/TagChips";
import { TagFilter } from "../ui/tags/TagFilter";
import { Table } from "../ui/table/Table";
import { TwoLines } from "../ui/table/cells";
import { useCan, useInstitution } from "../ui/useInstitution";
import type { Customer } from "./customer";
import { useUrlParams } from "../ui/useUrlParams";
import { AddButton } from "../ui/AddButton";
import { PageLink } from "../ui/PageLink";

const CustomerDialog = lazy(() => import("./CustomerDialog"));

/** `?act=` of it opens the dialog. */
const ADD = "add";

const pathOf = ({ id }: Pick<Customer, "id">) => `/customers/${id}`;

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
      {institutionId && isShown && <CustomerList institutionId={institutionId} />}
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

const CustomerList = ({ institutionId }: { institutionId: string }) => (
  <DataList
    path="customers"
    fixed={{ institutionId }}
    filterNames={["search", "tag"]}
    sort="-createdAt"
    views="Customers"
    hasCsv
    toolbar={<SearchFilter placeholder={t`Name, email, company or reference`} />}
    narrowing={<TagFilter of="customers" institutionId={institutionId} />}
  >
    <Table<Customer>
      label={t`Customers`}
      link={pathOf}
      none={
        <EmptyState icon={<CustomerIcon />} title={t`No customers found`}>
          {t`Issue a license to an email address, or add a customer.`}
        </EmptyState>
      }
      columns={[
        {
          key: "name",
          label: t`Name`,
          sort: true,
          cell: (customer) => (
            <Row gap="m">
              <PersonEmblem name={customer.name} size="medium" />
              <div>
                <TwoLines second={customer.name !== customer.email && customer.email}>
                  <PageLink to={pathOf(customer)}>{customer.name}</PageLink>
                </TwoLines>
                <TagChips tags={customer.tags} most={3} />
              </div>
            </Row>
          ),
        },
        {
          key: "company",
          label: t`Company`,
          width: 220,
          isRare: true,
          short: "plain",
          cell: ({ company }) => company !== null && <span dir="auto">{company}</span>,
        },
        { key: "externalReference", label: t`Reference`, width: 170, isRare: true },
        { key: "licenseCount", label: t`Licenses`, width: 120, align: "end", as: "number" },
        { key: "createdAt", label: t`Created`, width: 150, sort: true, as: "date" },
      ]}
    />
  </DataList>
);
