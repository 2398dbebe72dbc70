// Written by `npm run api` from the OpenAPI document: what the server demands of the fields of the
// requests that forms import. A field of an object within one has a path: "settings.sessionTimeoutSeconds".

export const AcceptInvitationRequest = {
  fullName: { maxLength: 200 },
  password: { minLength: 10, maxLength: 1000 },
  token: { required: true, maxLength: 1000 },
};

export const AdjustBalanceRequest = {
  amount: { required: true },
  reason: { required: true, maxLength: 500 },
};

export const ApiKeyRequest = {
  description: { maxLength: 20000 },
  name: { required: true, maxLength: 200 },
};

export const AppearanceChange = {
  color: { maxLength: 7 },
  displayName: { maxLength: 200 },
  renewalUrl: { maxLength: 500 },
  supportEmail: { maxLength: 254 },
  supportUrl: { maxLength: 500 },
  welcome: { maxLength: 1000 },
};

export const AssociationRequest = {
  email: { minLength: 3, maxLength: 254 },
};

export const BulkLicensesRequest = {
  days: { minimum: 1, maximum: 36500, isWhole: true },
  "filter.issuedTo": { maxLength: 254 },
  "filter.search": { maxLength: 200 },
  maxActiveUsersCount: { isWhole: true },
  months: { minimum: 1, maximum: 1200, isWhole: true },
  reason: { maxLength: 500 },
  requestId: { maxLength: 128 },
};

export const ConfirmAccessRequest = {
  fullName: { required: true, maxLength: 200 },
  password: { required: true, minLength: 10, maxLength: 1000 },
  token: { required: true, maxLength: 1000 },
};

export const ConnectorChange = {
  apiKey: { maxLength: 500 },
  apiUrl: { maxLength: 2000 },
  graceDays: { maximum: 365, isWhole: true },
  name: { required: true, maxLength: 200 },
};

export const ConnectorRequest = {
  apiKey: { maxLength: 500 },
  apiUrl: { maxLength: 2000 },
  graceDays: { minimum: 0, maximum: 365, isWhole: true },
  name: { required: true, maxLength: 200 },
  signingSecret: { maxLength: 500 },
};

export const ConvertLicenseRequest = {
  maxActiveUsersCount: { isWhole: true },
};

export const CustomerRequest = {
  company: { maxLength: 500 },
  email: { required: true, minLength: 3, maxLength: 254 },
  externalReference: { maxLength: 500 },
  name: { required: true, maxLength: 200 },
  notes: { maxLength: 20000 },
};

export const DomainTokenRequest = {
  token: { required: true, maxLength: 1000 },
};

export const EnrollmentKeyRequest = {
  maxDevices: { minimum: 1, maximum: 1000000, isWhole: true },
  name: { required: true, maxLength: 200 },
};

export const EntitlementSetRequest = {
  name: { required: true, maxLength: 200 },
};

export const FeaturePriceRequest = {
  tokenCost: { required: true },
};

export const FeatureRequest = {
  description: { maxLength: 20000 },
  displayName: { maxLength: 500 },
  name: { required: true, maxLength: 128 },
};

export const GrantBalanceRequest = {
  amount: { required: true },
  externalReference: { maxLength: 500 },
  reason: { maxLength: 500 },
};

export const InstitutionChange = {
  name: { required: true, maxLength: 200 },
};

export const InstitutionRequest = {
  name: { required: true, maxLength: 200 },
};

export const InstitutionSettingsChange = {
  apiKeyRateLimit: { minimum: 1, maximum: 1000000, isWhole: true },
  runtimeRateLimit: { minimum: 1, maximum: 1000000, isWhole: true },
  telemetryRetentionDays: { minimum: 1, maximum: 3650, isWhole: true },
};

export const InvitationRequest = {
  email: { required: true, minLength: 3, maxLength: 254 },
};

export const IssueLicenseRequest = {
  fallbackAfterMonths: { maximum: 120, isWhole: true },
  graceDays: { maximum: 365, isWhole: true },
  issuer: { maxLength: 500 },
  "machineMatch.atLeast": { required: true, minimum: 2, maximum: 8, isWhole: true },
  "machineMatch.of": { required: true, minimum: 2, maximum: 8, isWhole: true },
  maxActiveUsersCount: { isWhole: true },
  maxBorrowDays: { maximum: 366, isWhole: true },
  maxBorrowedSeats: { minimum: 1, maximum: 1000000, isWhole: true },
  password: { maxLength: 200 },
  username: { maxLength: 200 },
};

export const LicenseChange = {
  fallbackAfterMonths: { maximum: 120, isWhole: true },
  graceDays: { maximum: 365, isWhole: true },
  issuer: { maxLength: 500 },
  "machineMatch.atLeast": { required: true, minimum: 2, maximum: 8, isWhole: true },
  "machineMatch.of": { required: true, minimum: 2, maximum: 8, isWhole: true },
  maxActiveUsersCount: { isWhole: true },
  maxBorrowDays: { maximum: 366, isWhole: true },
  maxBorrowedSeats: { minimum: 1, maximum: 1000000, isWhole: true },
  password: { maxLength: 200 },
  username: { maxLength: 200 },
};

export const LoginRequest = {
  email: { required: true, maxLength: 254 },
  otpCode: { maxLength: 64 },
  "passkey.id": { required: true, maxLength: 2048 },
  "passkey.rawId": { required: true, maxLength: 2048 },
  "passkey.response.authenticatorData": { required: true, maxLength: 16384 },
  "passkey.response.clientDataJSON": { required: true, maxLength: 16384 },
  "passkey.response.signature": { required: true, maxLength: 16384 },
  "passkey.response.userHandle": { maxLength: 2048 },
  "passkey.type": { maxLength: 32 },
  password: { required: true, maxLength: 1000 },
};

export const NoteRequest = {
  note: { required: true, maxLength: 2000 },
};

export const OrderChange = {
  email: { required: true, minLength: 3, maxLength: 254 },
};

export const OtpRequest = {
  otpCode: { required: true, maxLength: 64 },
};

export const PasswordChange = {
  currentPassword: { required: true, maxLength: 1000 },
  newPassword: { required: true, minLength: 10, maxLength: 1000 },
};

export const PasswordResetRequest = {
  email: { required: true, minLength: 3, maxLength: 254 },
};

export const PlanRequest = {
  "limits.licenses": { maximum: 1000000000, isWhole: true },
  "limits.products": { maximum: 1000000000, isWhole: true },
};

export const PolicyRequest = {
  durationDays: { minimum: 1, maximum: 36500, isWhole: true },
  durationMonths: { minimum: 1, maximum: 1200, isWhole: true },
  fallbackAfterMonths: { minimum: 0, maximum: 120, isWhole: true },
  graceDays: { minimum: 0, maximum: 365, isWhole: true },
  "machineMatch.atLeast": { required: true, minimum: 2, maximum: 8, isWhole: true },
  "machineMatch.of": { required: true, minimum: 2, maximum: 8, isWhole: true },
  maxActiveUsersCount: { isWhole: true },
  maxBorrowDays: { maximum: 366, isWhole: true },
  maxBorrowedSeats: { minimum: 1, maximum: 1000000, isWhole: true },
  name: { required: true, maxLength: 200 },
  updatesDays: { minimum: 1, maximum: 36500, isWhole: true },
};

export const PortalAccessRequest = {
  email: { required: true, minLength: 3, maxLength: 254 },
};

export const ProductChange = {
  description: { maxLength: 20000 },
  name: { required: true, maxLength: 200 },
  "settings.appReleasesPerYear": { maximum: 1000, isWhole: true },
  "settings.defaultChannel": { required: true, maxLength: 50 },
  "settings.deviceIdleDays": { minimum: 1, maximum: 365, isWhole: true },
  "settings.deviceReleasesPerYear": { maximum: 1000, isWhole: true },
  "settings.heartbeatIntervalSeconds": { minimum: 1, maximum: 3600, isWhole: true },
  "settings.heartbeatMinSpacingSeconds": { maximum: 3600, isWhole: true },
  "settings.offlineFileLifetimeDays": { minimum: 1, maximum: 3650, isWhole: true },
  "settings.sessionTimeoutSeconds": { minimum: 3, maximum: 86400, isWhole: true },
};

export const ProductRequest = {
  description: { maxLength: 20000 },
  initialVersion: { required: true, maxLength: 100 },
  name: { required: true, maxLength: 200 },
  releaseChannel: { required: true, maxLength: 50 },
  "settings.appReleasesPerYear": { maximum: 1000, isWhole: true },
  "settings.defaultChannel": { required: true, maxLength: 50 },
  "settings.deviceIdleDays": { minimum: 1, maximum: 365, isWhole: true },
  "settings.deviceReleasesPerYear": { maximum: 1000, isWhole: true },
  "settings.heartbeatIntervalSeconds": { minimum: 1, maximum: 3600, isWhole: true },
  "settings.heartbeatMinSpacingSeconds": { maximum: 3600, isWhole: true },
  "settings.offlineFileLifetimeDays": { minimum: 1, maximum: 3650, isWhole: true },
  "settings.sessionTimeoutSeconds": { minimum: 3, maximum: 86400, isWhole: true },
};

export const ProfileChange = {
  fullName: { required: true, maxLength: 200 },
};

export const RegisterPasskeyRequest = {
  "credential.id": { required: true, maxLength: 2048 },
  "credential.rawId": { required: true, maxLength: 2048 },
  "credential.response.attestationObject": { required: true, maxLength: 16384 },
  "credential.response.clientDataJSON": { required: true, maxLength: 16384 },
  "credential.type": { maxLength: 32 },
  name: { required: true, maxLength: 100 },
};

export const RegisterRequest = {
  email: { required: true, minLength: 3, maxLength: 254 },
  fullName: { required: true, maxLength: 200 },
  institutionName: { required: true, maxLength: 200 },
  password: { required: true, minLength: 10, maxLength: 1000 },
};

export const RekeyLicenseRequest = {
  graceDays: { minimum: 0, maximum: 365, isWhole: true },
};

export const ReleaseRequest = {
  channel: { required: true, maxLength: 50 },
  notes: { maxLength: 20000 },
  version: { required: true, maxLength: 100 },
};

export const ResetPasswordRequest = {
  password: { required: true, minLength: 10, maxLength: 1000 },
  token: { required: true, maxLength: 1000 },
};

export const RotateConnectorSecretRequest = {
  signingSecret: { maxLength: 500 },
};

export const SaleRuleRequest = {
  "match.price": { maxLength: 255 },
  "match.product": { maxLength: 255 },
};

export const SavedViewRequest = {
  name: { required: true, maxLength: 200 },
  sort: { maxLength: 64 },
};

export const SetupRequest = {
  email: { required: true, minLength: 3, maxLength: 254 },
  fullName: { required: true, maxLength: 200 },
  institutionName: { required: true, maxLength: 200 },
  password: { required: true, minLength: 10, maxLength: 1000 },
  setupToken: { required: true, maxLength: 1000 },
};

export const SsoChange = {
  clientId: { required: true, maxLength: 500 },
  clientSecret: { maxLength: 500 },
  issuer: { required: true, maxLength: 1000 },
  roleClaim: { maxLength: 200 },
};

export const StepUpRequest = {
  otpCode: { maxLength: 64 },
  "passkey.id": { required: true, maxLength: 2048 },
  "passkey.rawId": { required: true, maxLength: 2048 },
  "passkey.response.authenticatorData": { required: true, maxLength: 16384 },
  "passkey.response.clientDataJSON": { required: true, maxLength: 16384 },
  "passkey.response.signature": { required: true, maxLength: 16384 },
  "passkey.response.userHandle": { maxLength: 2048 },
  "passkey.type": { maxLength: 32 },
  password: { maxLength: 1000 },
};

export const TokenRequest = {
  token: { required: true, maxLength: 1000 },
};

export const WebhookChange = {
  description: { maxLength: 500 },
  url: { required: true, maxLength: 2000 },
};

export const WebhookRequest = {
  description: { maxLength: 500 },
  url: { required: true, maxLength: 2000 },
};
