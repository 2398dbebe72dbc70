import { useState } from "react";
import { Navigate } from "react-router";
import { LICENSE_TYPES } from "../api/types";
import { EmptyState } from "../ui/EmptyState";
import { Page } from "../ui/Page";
import { UnsavedGuard } from "../ui/UnsavedGuard";
import { useAddressParams } from "../ui/useAddressParams";
import { useCan, useInstitution } from "../ui/useInstitution";
import { IssuedPanel } from "./issue/IssuedPanel";
import { missing, STEPS, type Draft, type Step } from "./issue/issueDraft";
import { IssueWizard } from "./issue/IssueWizard";
import { useIssueForm } from "./issue/useIssueForm";

/** What the address says beforehand. */
function givenBy(address: URLSearchParams): Partial<Draft> {
  const type = LICENSE_TYPES.find((known) => known === address.get("type"));
  const productId = address.get("productId");
  return { ...(type && { type }), ...(productId && { productId }) };
}

function Issuing() {
  const { params, change } = useAddressParams();
  const [given] = useState(() => givenBy(params));
  const { form, issued, issue, another } = useIssueForm(given);
  const asked = STEPS.find((name) => name === params.get("step")) ?? "product";
  // After a reload the draft is empty: begin where the first thing is missing.
  const lacking = STEPS.find(
    (name) => Object.keys(missing(name, form.draft, form.product)).length > 0,
  );
  const first = lacking ?? "review";
  const step = STEPS.indexOf(first) < STEPS.indexOf(asked) ? first : asked;
  const show = (next: Step, replace = false) => {
    change({ step: next }, replace);
  };
  if (issued)
    return (
      <IssuedPanel
        license={issued}
        onAnother={() => {
          another();
          show("customer");
        }}
      />
    );
  return (
    <>
      {step !== asked && <Navigate to={{ search: `?step=${step}` }} replace />}
      <UnsavedGuard
        when={form.isDirty}
        title="Leave without issuing?"
        consequence="What you have filled in is lost. No license has been issued."
        action="Leave"
      />
      <IssueWizard
        form={form}
        step={step}
        issue={issue}
        onStep={(next) => {
          show(next);
        }}
      />
    </>
  );
}

/** The wizard that issues a license of any model. */
export default function IssuePage() {
  const { profile } = useInstitution();
  const can = useCan();
  return (
    <Page
      title="Issue a license"
      help="models"
      back={{ to: "/licenses", label: "Licenses" }}
      subtitle="Each step asks only for what the chosen model takes."
    >
      {profile &&
        (can.manage ? (
          <Issuing />
        ) : (
          <EmptyState title="Your role reads licenses, it does not issue them">
            An Owner or Admin of the institution can issue licenses, or give you that role.
          </EmptyState>
        ))}
    </Page>
  );
}
