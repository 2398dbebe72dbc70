// Written by `npm run api` from the OpenAPI document: what the server demands of the fields of a
// request. A field of an object within it has a path: "settings.sessionTimeoutSeconds".

export const AcceptAssociationRequest = {
  token: { required: true, maxLength: 1000 },
};

export const AcceptInvitationRequest = {
  fullName: { maxLength: 200 },
  password: { minLength: 10, maxLength: 1000 },
  token: { required: true, maxLength: 1000 },
};

export const ActivateRequest = {
  appVersion: { maxLength: 256 },
  "deviceKey.x": { required: true, minLength: 43, maxLength: 43 },
  "deviceKey.y": { required: true, minLength: 43, maxLength: 43 },
  deviceName: { maxLength: 256 },
  hardwareId: { required: true, maxLength: 256 },
  licenseKey: { required: true, maxLength: 300 },
  os: { maxLength: 256 },
  password: { maxLength: 1000 },
  username: { maxLength: 256 },
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
  supportEmail: { maxLength: 254 },
  supportUrl: { maxLength: 500 },
  welcome: { maxLength: 1000 },
};

export const AskRequest = {
  licenseKey: { maxLength: 300 },
  request: { required: true, maxLength: 4096 },
};

export const AssociationRequest = {
  email: { minLength: 3, maxLength: 254 },
};

export const BorrowRequest = {
  appVersion: { maxLength: 256 },
  days: { required: true, minimum: 1, maximum: 366, isWhole: true },
  deviceName: { maxLength: 256 },
  hardwareId: { required: true, maxLength: 256 },
  idempotencyKey: { required: true, maxLength: 128 },
  instanceId: { maxLength: 128 },
  licenseKey: { required: true, maxLength: 300 },
  password: { maxLength: 1000 },
  username: { maxLength: 256 },
};

export const BulkLicensesRequest = {
  days: { minimum: 1, maximum: 36500, isWhole: true },
  "filter.issuedTo": { maxLength: 254 },
  "filter.search": { maxLength: 200 },
  maxActiveUsersCount: { isWhole: true },
  months: { minimum: 1, maximum: 1200, isWhole: true },
  reason: { maxLength: 500 },
};

export const ClockAdvanceRequest = {
  days: { minimum: 1, maximum: 3660, isWhole: true },
};

export const ConfirmAccessRequest = {
  fullName: { required: true, maxLength: 200 },
  password: { required: true, minLength: 10, maxLength: 1000 },
  token: { required: true, maxLength: 1000 },
};

export const ConnectRequest = {
  appVersion: { maxLength: 256 },
  deviceName: { maxLength: 256 },
  hardwareId: { required: true, maxLength: 256 },
  instanceId: { maxLength: 128 },
  licenseKey: { required: true, maxLength: 300 },
  password: { maxLength: 1000 },
  username: { maxLength: 256 },
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

export const ConsumeRequest = {
  featureName: { required: true, maxLength: 128 },
  hardwareId: { maxLength: 256 },
  idempotencyKey: { maxLength: 128 },
  licenseKey: { required: true, maxLength: 300 },
  password: { maxLength: 1000 },
  quantity: { minimum: 1, maximum: 1000000000, isWhole: true },
  username: { maxLength: 256 },
};

export const ConvertLicenseRequest = {
  maxActiveUsersCount: { isWhole: true },
};

export const CustomerChange = {
  company: { maxLength: 500 },
  email: { required: true, minLength: 3, maxLength: 254 },
  externalReference: { maxLength: 500 },
  name: { required: true, maxLength: 200 },
  notes: { maxLength: 20000 },
};

export const CustomerRequest = {
  company: { maxLength: 500 },
  email: { required: true, minLength: 3, maxLength: 254 },
  externalReference: { maxLength: 500 },
  name: { required: true, maxLength: 200 },
  notes: { maxLength: 20000 },
};

export const DeactivateRequest = {
  hardwareId: { required: true, maxLength: 256 },
  licenseKey: { required: true, maxLength: 300 },
  password: { maxLength: 1000 },
  username: { maxLength: 256 },
};

export const DomainEmailRequest = {
  domain: { required: true, minLength: 3, maxLength: 253 },
  email: { required: true, minLength: 3, maxLength: 254 },
};

export const DomainRequest = {
  domain: { required: true, minLength: 3, maxLength: 253 },
};

export const DomainTokenRequest = {
  token: { required: true, maxLength: 1000 },
};

export const EnrollRequest = {
  appVersion: { maxLength: 256 },
  deviceName: { maxLength: 256 },
  enrollmentKey: { required: true, maxLength: 300 },
  hardwareId: { required: true, maxLength: 256 },
  os: { maxLength: 256 },
};

export const EnrollmentKeyRequest = {
  maxDevices: { minimum: 1, maximum: 1000000, isWhole: true },
  name: { required: true, maxLength: 200 },
};

export const EntitlementSetChange = {
  name: { required: true, maxLength: 200 },
};

export const EntitlementSetRequest = {
  name: { required: true, maxLength: 200 },
};

export const EvaluateFlagsRequest = {
  "context.appVersion": { maxLength: 256 },
  "context.hardwareId": { maxLength: 256 },
  "context.licenseKey": { required: true, maxLength: 300 },
  "context.password": { maxLength: 1000 },
  "context.username": { maxLength: 256 },
};

export const ExplainLicenseRequest = {
  appVersion: { maxLength: 256 },
  hardwareId: { maxLength: 256 },
};

export const FeatureChange = {
  description: { maxLength: 20000 },
  displayName: { maxLength: 500 },
  name: { required: true, maxLength: 128 },
};

export const FeaturePriceRequest = {
  tokenCost: { required: true },
};

export const FeatureRequest = {
  description: { maxLength: 20000 },
  displayName: { maxLength: 500 },
  name: { required: true, maxLength: 128 },
};

export const GenerateSigningKeyRequest = {
  keySize: { isWhole: true },
};

export const GrantBalanceRequest = {
  amount: { required: true },
  externalReference: { maxLength: 500 },
  reason: { maxLength: 500 },
};

export const ImportLicensesRequest = {
  firstLine: { minimum: 1, maximum: 100000000, isWhole: true },
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

export const IssueLicensesRequest = {
  count: { required: true, minimum: 1, maximum: 500, isWhole: true },
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

export const OperatorAskRequest = {
  request: { required: true, maxLength: 4096 },
};

export const OrderChange = {
  email: { required: true, minLength: 3, maxLength: 254 },
};

export const OtpRequest = {
  otpCode: { required: true, maxLength: 64 },
};

export const PasskeySignInRequest = {
  "credential.id": { required: true, maxLength: 2048 },
  "credential.rawId": { required: true, maxLength: 2048 },
  "credential.response.authenticatorData": { required: true, maxLength: 16384 },
  "credential.response.clientDataJSON": { required: true, maxLength: 16384 },
  "credential.response.signature": { required: true, maxLength: 16384 },
  "credential.response.userHandle": { maxLength: 2048 },
  "credential.type": { maxLength: 32 },
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

export const PolicyChange = {
  durationDays: { minimum: 1, maximum: 36500, isWhole: true },
  durationMonths: { minimum: 1, maximum: 1200, isWhole: true },
  fallbackAfterMonths: { maximum: 120, isWhole: true },
  graceDays: { maximum: 365, isWhole: true },
  "machineMatch.atLeast": { required: true, minimum: 2, maximum: 8, isWhole: true },
  "machineMatch.of": { required: true, minimum: 2, maximum: 8, isWhole: true },
  maxActiveUsersCount: { isWhole: true },
  maxBorrowDays: { maximum: 366, isWhole: true },
  maxBorrowedSeats: { minimum: 1, maximum: 1000000, isWhole: true },
  name: { required: true, maxLength: 200 },
  updatesDays: { minimum: 1, maximum: 36500, isWhole: true },
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

export const ProductCopyRequest = {
  name: { maxLength: 200 },
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

export const ReasonRequest = {
  reason: { maxLength: 500 },
};

export const ReconcileRequest = {
  limit: { minimum: 1, maximum: 500, isWhole: true },
};

export const RefreshRequest = {
  hardwareId: { maxLength: 256 },
  licenseKey: { required: true, maxLength: 300 },
  password: { maxLength: 1000 },
  username: { maxLength: 256 },
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

export const RejectRequest = {
  reason: { maxLength: 500 },
};

export const RekeyLicenseRequest = {
  graceDays: { minimum: 0, maximum: 365, isWhole: true },
};

export const ReleaseChange = {
  channel: { required: true, maxLength: 50 },
  notes: { maxLength: 20000 },
  version: { required: true, maxLength: 100 },
};

export const ReleaseDeviceRequest = {
  hardwareId: { required: true, maxLength: 256 },
  licenseKey: { required: true, maxLength: 300 },
  password: { maxLength: 1000 },
  username: { maxLength: 256 },
};

export const ReleaseRequest = {
  channel: { required: true, maxLength: 50 },
  notes: { maxLength: 20000 },
  version: { required: true, maxLength: 100 },
};

export const RenewRequest = {
  days: { required: true, minimum: 1, maximum: 366, isWhole: true },
  idempotencyKey: { required: true, maxLength: 128 },
  seq: { required: true, minimum: 1, maximum: 2147483647, isWhole: true },
};

export const ReportRequest = {
  receipt: { required: true, maxLength: 10000 },
};

export const ResetPasswordRequest = {
  password: { required: true, minLength: 10, maxLength: 1000 },
  token: { required: true, maxLength: 1000 },
};

export const ReturnRequest = {
  idempotencyKey: { maxLength: 128 },
  receipt: { required: true, maxLength: 10000 },
};

export const RotateConnectorSecretRequest = {
  signingSecret: { maxLength: 500 },
};

export const RotateProductKeyRequest = {
  graceSeconds: { maximum: 31536000, isWhole: true },
};

export const SaleRuleRequest = {
  "match.price": { maxLength: 255 },
  "match.product": { maxLength: 255 },
};

export const SavedViewChange = {
  name: { required: true, maxLength: 200 },
  sort: { maxLength: 64 },
};

export const SavedViewRequest = {
  name: { required: true, maxLength: 200 },
  sort: { maxLength: 64 },
};

export const SecondFactorProof = {
  otpCode: { maxLength: 64 },
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

export const TelemetryRequest = {
  hardwareId: { maxLength: 256 },
  licenseKey: { maxLength: 300 },
  password: { maxLength: 1000 },
  username: { maxLength: 256 },
};

export const TokenRequest = {
  token: { required: true, maxLength: 1000 },
};

export const ValidateRequest = {
  appVersion: { maxLength: 256 },
  deviceName: { maxLength: 256 },
  hardwareId: { maxLength: 256 },
  licenseKey: { required: true, maxLength: 300 },
  nonce: { maxLength: 256 },
  os: { maxLength: 256 },
  password: { maxLength: 1000 },
  username: { maxLength: 256 },
};

export const WebhookChange = {
  description: { maxLength: 500 },
  url: { required: true, maxLength: 2000 },
};

export const WebhookRequest = {
  description: { maxLength: 500 },
  url: { required: true, maxLength: 2000 },
};
