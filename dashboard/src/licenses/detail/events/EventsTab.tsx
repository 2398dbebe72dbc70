import type { License } from "../../../api/types";

export const EventsTab = ({ license }: { license: License }) => <>{license.id}</>;
