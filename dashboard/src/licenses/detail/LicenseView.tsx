import { t } from "@lingui/core/macro";
import type { License } from "../../api/types";
import { CopyButton } from "../../ui/CopyButton";
import { ProductEmblem } from "../../ui/Emblem";
import { Page } from "../../ui/Page";
import { RouteTabs, type RouteTab } from "../../ui/RouteTabs";
import { MODEL_LABELS } from "../../ui/labels";
import { LicenseChip } from "../../ui/license/LicenseChip";
import { PageLink } from "../../ui/PageLink";
import { useCan, useFollowed } from "../../ui/useInstitution";
import { useVisited } from "../../ui/visited";
import { useCustomerOf, useProduct } from "../../ui/useProduct";
import { AnswerStrip, useAnswer } from "./answer/AnswerStrip";
import { AttemptsBanner, AttemptsTab } from "./attempts/AttemptsTab";
import { LicenseActions } from "./actions/LicenseActions";
import { ActivationsTab, DeviceCounts } from "./devices/ActivationsTab";
import { EventsTab } from "./events/EventsTab";
import { isMetered } from "./traits";
import { MeterTab } from "./meter/MeterTab";
import { Overview } from "./overview/Overview";
import { SessionsTab } from "./sessions/SessionsTab";
import { useLicenseKeys } from "./useLicenseKeys";
import { useOrder } from "./useOrder";
import { DiagnoseTab } from "./diagnose/DiagnoseTab";

/** The emblem of its product. */
function LicensePicture({ license: { productId, productName } }: { license: License }) {
  const { data } = useProduct(productId);
  return <ProductEmblem name={productName} imageUrl={data?.imageUrl} size="large" />;
}

/** Who has the license; nothing if it is nobody's, or not known yet. */
function Holder({ license: { customerId, issuedTo, institutionId } }: { license: License }) {
  const { isSystemAdmin, role } = useCan(institutionId);
  // Members see no customers.
  const { data } = useCustomerOf(isSystemAdmin || role !== "Member" ? customerId : null);
  if (!data) return issuedTo !== null && ` · ${issuedTo}`;
  return (
    <>
      {" · "}
      <PageLink to={`/customers/${data.id}`} dir="auto">
        {data.name}
      </PageLink>
    </>
  );
}

/** A license with its tabs. */
export function LicenseView({ license }: { license: License }) {
  useFollowed(license.institutionId);
  useVisited({
    key: license.id,
    kind: "License",
    label: license.licenseName,
    detail: [license.issuedTo, license.productName].filter(Boolean).join(" · "),
    to: `/licenses/${license.id}`,
  });
  const { manage } = useCan(license.institutionId);
  const base = `/licenses/${license.id}`;
  const seesAttempts = manage && license.type === "NodeLocked";
  const attempts = seesAttempts ? license.unreviewedAccessAttempts : 0;
  const order = useOrder(license);
  const answer = useAnswer(license, attempts, order);
  const tabs: (RouteTab | false)[] = [
    {
      path: "",
      label: t`Overview`,
      element: <Overview license={license} order={order} tellsEnd={answer.tellsEnd === true} />,
    },
    {
      path: "diagnose",
      label: t`Diagnose`,
      element: <DiagnoseTab license={license} answer={answer} />,
    },
    {
      path: "activations",
      label: t`Activations`,
      element: manage ? <ActivationsTab license={license} /> : <DeviceCounts license={license} />,
    },
    manage && { path: "sessions", label: t`Sessions`, element: <SessionsTab license={license} /> },
    seesAttempts && {
      path: "access-attempts",
      label: t`Access attempts`,
      waiting: license.unreviewedAccessAttempts,
      element: <AttemptsTab license={license} />,
    },
    isMetered(license) && {
      path: "meter",
      label: t`Meter`,
      element: <MeterTab license={license} />,
    },
    { path: "events", label: t`Events`, element: <EventsTab license={license} /> },
  ];
  const shown = tabs.filter((tab) => tab !== false);
  useLicenseKeys(
    license,
    manage,
    shown.map(({ path }) => path),
  );
  return (
    <Page
      title={license.licenseName}
      picture={<LicensePicture license={license} />}
      isTest={license.test}
      mark={<LicenseChip license={license} answer={answer} />}
      help="license-lifecycle"
      back={{ to: "/licenses", label: t`Licenses` }}
      subtitle={
        <>
          <PageLink to={`/products/${license.productId}`}>{license.productName}</PageLink>
          {` · ${MODEL_LABELS[license.type]} · `}
          <code>{license.licenseKey}</code>{" "}
          <CopyButton value={license.licenseKey} label={t`Copy license key`} />
          <Holder license={license} />
        </>
      }
      actions={manage && <LicenseActions license={license} except={answer.action} />}
    >
      <AnswerStrip license={license} answer={answer} />
      {attempts > 0 && !answer.tellsAttempts && <AttemptsBanner license={license} />}
      <RouteTabs base={base} label={t`License`} tabs={shown} />
    </Page>
  );
}
