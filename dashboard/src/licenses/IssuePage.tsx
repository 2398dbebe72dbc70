import { useState } from "react";
import { Navigate, useNavigate } from "react-router";
import { $api } from "../api/client";
import { LICENSE_TYPES } from "../api/types";
import { EmptyState } from "../ui/EmptyState";
import { Loading } from "../ui/Loading";
import { Page } from "../ui/Page";
import { ProblemAlert } from "../ui/ProblemAlert";
import { UnsavedGuard } from "../ui/UnsavedGuard";
import { useUrlParams } from "../ui/useUrlParams";
import { useCan, useInstitution } from "../ui/useInstitution";
import { IssuedPanel } from "./issue/IssuedPanel";
import { missing, STEPS, type Draft } from "./issue/issueDraft";
import { IssueWizard } from "./issue/IssueWizard";
import { useIssueForm } from "./issue/useIssueForm";

/** Initial values from the URL. */
function givenBy(address: URLSearchParams): Partial<Draft> {
  const type = LICENSE_TYPES.find((known) => known === address.get("type"));
  const productId = address.get("productId");
  return { ...(type && { type }), ...(productId && { productId }) };
}

function Issuing() {
  const { params, change } = useUrlParams();
  const [given] = useState(() => givenBy(params));
  const { form, issued, issue, another } = useIssueForm(given);
  const navigate = useNavigate();
  const licenseId = params.get("issued") ?? "";
  const { data: license, error } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}",
    { params: { path: { licenseId } } },
    { enabled: licenseId !== "" && issued?.id !== licenseId },
  );
  const asked = STEPS.find((name) => name === params.get("step")) ?? "product";
  // After a reload the draft is empty: start at the first incomplete step.
  const lacking = STEPS.find(
    (name) => Object.keys(missing(name, form.draft, form.product)).length > 0,
  );
  const first = lacking ?? "review";
  const step = STEPS.indexOf(first) < STEPS.indexOf(asked) ? first : asked;
  const issueIt = async () => {
    const { id } = (await issue()) ?? {};
    // In the address, so that the page stays after a reload.
    if (id) await navigate(`?issued=${id}`, { replace: true });
  };
  if (licenseId) {
    const shown = issued?.id === licenseId ? issued : license;
    if (!shown) return error ? <ProblemAlert error={error} /> : <Loading />;
    return (
      <IssuedPanel
        license={shown}
        onAnother={() => {
          another();
          change({ issued: null, step: "customer" });
        }}
      />
    );
  }
  return (
    <>
      {step !== asked && <Navigate to={{ search: `?step=${step}` }} replace />}
      <UnsavedGuard
        when={form.isDirty}
        title="Leave without issuing?"
        consequence="Your input will be lost. No license has been issued."
        action="Leave"
      />
      <IssueWizard
        form={form}
        step={step}
        issue={issueIt}
        onStep={(next) => {
          change({ step: next });
        }}
      />
    </>
  );
}

/** The wizard to issue a license of any model. */
export default function IssuePage() {
  const { profile } = useInstitution();
  const can = useCan();
  return (
    <Page
      title="Issue a license"
      help="models"
      back={{ to: "/licenses", label: "Licenses" }}
      subtitle="Each step shows only the fields of the chosen license model."
    >
      {profile &&
        (can.manage ? (
          <Issuing />
        ) : (
          <EmptyState title="You cannot issue licenses">
            Only Owners and Admins of the institution can. Ask one of them to issue the license or
            change your role.
          </EmptyState>
        ))}
    </Page>
  );
}
