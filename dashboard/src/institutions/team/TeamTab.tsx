import { t } from "@lingui/core/macro";
import { TabHeading } from "../../ui/Section";
import type { TabProps } from "../parts/TabProps";
import { InviteButton } from "./Invite";
import { InvitedList } from "./InvitedList";
import { MemberList } from "./MemberList";

/** The people of the institution: its members, and for those who may invite, who is invited. */
export const TeamTab = (props: TabProps) => (
  <>
    <TabHeading
      title={t`Team`}
      help="team-and-roles"
      action={props.can.manage && <InviteButton {...props} />}
    >
      {t`The people who work in this institution, and what they may do.`}
    </TabHeading>
    <MemberList {...props} />
    {props.can.manage && <InvitedList institutionId={props.institutionId} />}
  </>
);
