import { Route, Routes } from "react-router";
import type { TabProps } from "../parts/TabProps";
import { ReleaseDetail } from "./ReleaseDetail";
import { ReleaseList } from "./ReleaseList";

/** The releases of a product, with a nested route for each. */
export const ReleasesTab = (props: TabProps) => (
  <Routes>
    <Route index element={<ReleaseList {...props} />} />
    <Route path=":releaseId" element={<ReleaseDetail {...props} />} />
  </Routes>
);
