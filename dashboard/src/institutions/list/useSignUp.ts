import { $api } from "../../api/client";

/** Whether sign-up is open; if so, any user may create an institution. */
export function useSignUp() {
  return $api.useQuery("get", "/api/auth/setup", {}, { staleTime: Infinity }).data?.signUp;
}
