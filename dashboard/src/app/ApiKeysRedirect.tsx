import { Navigate } from "react-router";

/** The former address of the API keys. */
const ApiKeysRedirect = () => <Navigate to="/settings/api-keys" replace />;

export default ApiKeysRedirect;
