import { $api } from "../../api/client";

/** Whether sign-up is open; if so, users without an institution may create one. */
export function useSignUp() {
  return $api.useQuery("get", "/api/auth/setup", {}, { staleTime: Infinity }).data?.signUp;
}
