import { lazy, type LazyComponent } from "../ui/lazy";

type PageRoute = readonly [path: string, page: LazyComponent<object>];

export const Shell = lazy(() => import("./shell/Shell"));
export const HomePage = lazy(() => import("../home/HomePage"));
export const SignInPage = lazy(() => import("../access/SignInPage"));
export const NoServiceAccess = lazy(() => import("./NoServiceAccess"));
export const NotFoundPage = lazy(() => import("./NotFoundPage"));

/** Pages inside the shell, for signed-in users. */
export const PAGES: readonly PageRoute[] = [
  ["/institutions", lazy(() => import("../institutions/InstitutionsPage"))],
  ["/institutions/:institutionId/settings/*", lazy(() => import("./settings/SettingsPage"))],
  ["/institutions/:institutionId/*", lazy(() => import("../institutions/InstitutionPage"))],
  ["/products", lazy(() => import("../products/ProductsPage"))],
  ["/products/new", lazy(() => import("../products/NewProductPage"))],
  ["/products/:productId/*", lazy(() => import("../products/ProductPage"))],
  ["/licenses", lazy(() => import("../licenses/LicensesPage"))],
  ["/licenses/new", lazy(() => import("../licenses/IssuePage"))],
  ["/licenses/import", lazy(() => import("../licenses/ImportPage"))],
  ["/licenses/:licenseId/*", lazy(() => import("../licenses/LicensePage"))],
  ["/customers", lazy(() => import("../customers/CustomersPage"))],
  ["/customers/:customerId/*", lazy(() => import("../customers/CustomerPage"))],
  ["/orders", lazy(() => import("../sales/orders/OrdersPage"))],
  ["/orders/:orderId", lazy(() => import("../sales/orders/OrderPage"))],
  ["/received-licenses", lazy(() => import("../portal/received/ReceivedLicensesPage"))],
  ["/received-licenses/products", lazy(() => import("../portal/received/ReceivedProductsPage"))],
  ["/received-licenses/:licenseId", lazy(() => import("../portal/received/ReceivedLicensePage"))],
  ["/statistics/*", lazy(() => import("../statistics/StatisticsPage"))],
  ["/settings/*", lazy(() => import("./settings/SettingsPage"))],
  ["/connectors", lazy(() => import("../sales/connectors/ConnectorsPage"))],
  ["/connectors/new", lazy(() => import("../sales/connectors/NewConnectorPage"))],
  ["/connectors/:connectorId/*", lazy(() => import("../sales/connectors/ConnectorPage"))],
  ["/webhooks/new", lazy(() => import("../webhooks/NewWebhookPage"))],
  ["/webhooks/:webhookId/*", lazy(() => import("../webhooks/WebhookPage"))],
  ["/notifications/*", lazy(() => import("../notifications/NotificationsPage"))],
  ["/profile/*", lazy(() => import("../profile/ProfilePage"))],
  ["/help", lazy(() => import("../help/HelpPage"))],
  ["/help/:topic", lazy(() => import("../help/TopicPage"))],
  ["/whats-new", lazy(() => import("../help/WhatsNewPage"))],
  ["/whats-new/changelog", lazy(() => import("../help/ChangelogPage"))],
];

/** Pages inside the shell about the whole service, for system Admins. */
export const SERVICE_PAGES: readonly PageRoute[] = [
  ["/users", lazy(() => import("../admin/UsersPage"))],
  ["/audit", lazy(() => import("../institutions/audit/InstanceAuditPage"))],
  ["/doctor", lazy(() => import("../admin/doctor/DoctorPage"))],
  ["/mails", lazy(() => import("../admin/EmailsPage"))],
];

/** Addresses that links outside may still have, and where their pages are. */
export const MOVED: readonly (readonly [from: string, to: string])[] = [
  ["/webhooks", "/settings/webhooks"],
  ["/institutions/:institutionId/members", "/institutions/:institutionId/settings/team"],
  ["/institutions/:institutionId/invitations", "/institutions/:institutionId/settings/team"],
  ["/institutions/:institutionId/audit", "/institutions/:institutionId/settings/audit"],
  ["/institutions/:institutionId/single-sign-on", "/institutions/:institutionId/settings/sign-in"],
];

/** Pages without the shell: for signed-out users, and the portal, which has its own layout. */
export const BARE_PAGES: readonly PageRoute[] = [
  ["/setup", lazy(() => import("../access/SetupPage"))],
  ["/register", lazy(() => import("../access/RegisterPage"))],
  ["/forgot-password", lazy(() => import("../access/ForgotPasswordPage"))],
  ["/reset-password", lazy(() => import("../access/ResetPasswordPage"))],
  ["/verify-email", lazy(() => import("../access/VerifyEmailPage"))],
  ["/accept-invitation", lazy(() => import("../access/AcceptInvitationPage"))],
  ["/accept-association", lazy(() => import("../access/AcceptAssociationPage"))],
  ["/stop-reports", lazy(() => import("../access/StopReportsPage"))],
  ["/confirm-domain", lazy(() => import("../access/ConfirmDomainPage"))],
  ["/portal/access", lazy(() => import("../access/PortalAccessPage"))],
  ["/portal/welcome", lazy(() => import("../access/WelcomePage"))],
  ["/o", lazy(() => import("../access/OfflineDeskPage"))],
  ["/portal/*", lazy(() => import("../portal/PortalApp"))],
];
