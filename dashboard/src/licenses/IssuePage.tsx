import { t } from "@lingui/core/macro";
import { type ReactNode, useState } from "react";
import { useNavigate } from "react-router";
import { $api, at } from "../api/client";
import type { License } from "../api/types";
import { EmptyState } from "../ui/EmptyState";
import { Loading } from "../ui/Loading";
import { Page } from "../ui/Page";
import { ButtonLink } from "../ui/PageLink";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useHasNoProduct } from "../ui/useProduct";
import { useCan, useInstitution } from "../ui/useInstitution";
import { useUrlParams } from "../ui/useUrlParams";
import { againOf, type Draft } from "./issue/issueDraft";
import { IssuedPanel, IssuedKeys } from "./issue/IssuedPanel";
import { IssueFields } from "./issue/IssueFields";
import { useFreshDraft, useGiven, useRememberIssued } from "./issue/keptDraft";
import type { IssuedLicenses } from "./issue/useIssueForm";

interface IssuingProps {
  userId: string;
  institutionId: string;
}

/** The fields at first, then what came of them. */
function Issuing({ userId, institutionId }: IssuingProps) {
  const { params, change } = useUrlParams();
  const navigate = useNavigate();
  const [issued, setIssued] = useState<{ issued: IssuedLicenses; draft: Draft } | null>(null);
  const [again, setAgain] = useState<Draft | null>(null);
  const licenseId = params.get("issued");
  const onAnother = () => {
    setAgain(issued && againOf(issued.draft));
    setIssued(null);
    change({ issued: null });
  };
  if (licenseId)
    return (
      <Sheet title={t`License issued`}>
        <Issued
          licenseId={licenseId}
          license={issued && isOne(issued.issued) ? issued.issued : undefined}
          onAnother={onAnother}
        />
      </Sheet>
    );
  if (issued && !isOne(issued.issued))
    return (
      <Sheet title={t`Licenses issued`}>
        <IssuedKeys licenses={issued.issued} onAnother={onAnother} />
      </Sheet>
    );
  return (
    <Sheet title={t`Issue a license`}>
      <Beginning
        userId={userId}
        institutionId={institutionId}
        again={again}
        onIssued={(given, draft) => {
          setIssued({ issued: given, draft });
          setAgain(null);
          // In the address, so that the page stays after a reload.
          if (isOne(given)) void navigate(`?issued=${given.id}`, { replace: true });
        }}
      />
    </Sheet>
  );
}

const isOne = (issued: IssuedLicenses): issued is License => "id" in issued;

interface BeginningProps extends IssuingProps {
  /** The terms of the license before, to issue another one. */
  again: Draft | null;
  onIssued: (issued: IssuedLicenses, draft: Draft) => void;
}

/** The fields, once it is known what they begin with. */
function Beginning({ userId, institutionId, again, onIssued }: BeginningProps) {
  const given = useGiven();
  const fresh = useFreshDraft(institutionId, given);
  const remember = useRememberIssued(institutionId);
  const hasNoProduct = useHasNoProduct(fresh?.productId === null);
  if (!fresh) return <Loading />;
  if (hasNoProduct)
    return (
      <EmptyState
        title={t`No products yet`}
        action={
          <ButtonLink to="/products/new" variant="contained">
            {t`Create product`}
          </ButtonLink>
        }
      >
        {t`A license belongs to a product. Create a product first, then issue licenses for it.`}
      </EmptyState>
    );
  const asked = `${given.productId ?? ""}.${given.type ?? ""}.${given.issuedTo}${given.amount && `.${given.amount}`}`;
  return (
    <IssueFields
      place={`issueDraft.${userId}.${institutionId}.${asked}`}
      fresh={again ?? fresh}
      onIssued={(issued, draft) => {
        remember(draft);
        onIssued(issued, draft);
      }}
    />
  );
}

interface IssuedProps {
  licenseId: string;
  /** As it was issued; unknown after a reload. */
  license: License | undefined;
  onAnother: () => void;
}

function Issued({ licenseId, license, onAnother }: IssuedProps) {
  const isKnown = license?.id === licenseId;
  const { data = isKnown ? license : undefined, error } = $api.useQuery(
    "get",
    "/api/licenses/{licenseId}",
    at({ licenseId }),
    { enabled: !isKnown },
  );
  if (data) return <IssuedPanel license={data} onAnother={onAnother} />;
  return error ? <ProblemAlert error={error} /> : <Loading />;
}

const Sheet = ({ title, children }: { title: string; children: ReactNode }) => (
  <Page title={title} help="models" back={{ to: "/licenses", label: t`Licenses` }}>
    {children}
  </Page>
);

/** The page that issues a license of any model. */
export default function IssuePage() {
  const { profile, institutionId } = useInstitution();
  const can = useCan();
  if (profile && can.manage && institutionId)
    return <Issuing key={institutionId} userId={profile.id} institutionId={institutionId} />;
  return (
    <Sheet title={t`Issue a license`}>
      {profile && (
        <EmptyState title={t`You cannot issue licenses`}>
          {t`Only Owners and Admins of the institution can. Ask one of them to issue the license or change your role.`}
        </EmptyState>
      )}
    </Sheet>
  );
}
