export interface paths {
    "/api/activations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate a license on this device. Idempotent
         * @description Requires a product key.
         */
        post: operations["activate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/activations/{activationId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bind a node-locked license to a device that is pending approval
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Activations.Write.
         */
        post: operations["approveActivation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/activations/{activationId}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Block a device. It keeps its seat; its sessions end at once
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Activations.Write.
         */
        post: operations["blockActivation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/activations/{activationId}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a device: its seat is free, its sessions end. Returns the device as it was before
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Activations.Write.
         */
        post: operations["deactivateActivation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/activations/{activationId}/unblock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unblock a device, which returns to its previous status
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Activations.Write.
         */
        post: operations["unblockActivation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/activations/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deactivate this device, given in the body or in the query; its seat is free at once
         * @description Requires a product key.
         */
        delete: operations["releaseActivation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The API keys of the caller's institutions, including revoked ones
         * @description Requires the role Admin or higher in the institution.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key. Its secret is shown in this response only
         * @description Requires the role Admin or higher in the institution.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key, immediately and permanently
         * @description Requires the role Admin or higher in the institution.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of an API key, shown in this response only; the old one stops working
         * @description Requires the role Admin or higher in the institution.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/accept-invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join an institution with the token of an invitation
         * @description Open to everybody; an access token, if one is sent, must be valid.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the invitation of a token; the token stays valid
         * @description Open to everybody.
         */
        post: operations["previewInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with e-mail address and password, and a code if the account has a second factor
         * @description Open to everybody.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the session of the refresh cookie
         * @description Open to everybody.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signed-in user, their memberships, and how many recovery codes they have left
         * @description Any signed-in operator.
         */
        get: operations["showMe"];
        /**
         * Change the signed-in user's name
         * @description Any signed-in operator.
         */
        put: operations["changeMe"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password; all other sessions end
         * @description Any signed-in operator.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * E-mail a token that sets a new password; the response is the same for every address
         * @description Open to everybody.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password-reset/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with an e-mailed token, which works once and for an hour
         * @description Open to everybody.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A new access token for the refresh cookie, which is rotated
         * @description Open to everybody.
         */
        post: operations["refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account with an institution, if sign-up is open
         * @description Open to everybody.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the user is signed in, newest first
         * @description Any signed-in operator.
         */
        get: operations["listSignIns"];
        put?: never;
        post?: never;
        /**
         * Sign out everywhere, including this session
         * @description Any signed-in operator.
         */
        delete: operations["endAllSignIns"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{signInId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out at one place, effective immediately
         * @description Any signed-in operator.
         */
        delete: operations["endSignIn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How to get an account here: by first-run setup, by signing up, or by invitation
         * @description Open to everybody.
         */
        get: operations["showSetup"];
        put?: never;
        /**
         * First run: create the first Owner with the token that the server printed
         * @description Open to everybody.
         */
        post: operations["setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a secret for an authenticator app; it takes effect once a code of it is confirmed
         * @description Any signed-in operator.
         */
        post: operations["offerSecondFactor"];
        /**
         * Turn the second factor off, with the password or a code
         * @description Any signed-in operator.
         */
        delete: operations["disableSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn the second factor on with a first code; the recovery codes are shown only once
         * @description Any signed-in operator.
         */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/totp/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the recovery codes, with the password or a code; the old ones stop working
         * @description Any signed-in operator.
         */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify an e-mail address with the token that was sent to it
         * @description Open to everybody.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify-email/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * E-mail a new token that verifies the user's address
         * @description Any signed-in operator.
         */
        post: operations["resendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/downloads/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file of a published release by the URL from the check for updates
         * @description Open to everybody.
         */
        get: operations["downloadByToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/entitlement-sets/{setId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Rename an entitlement set, or replace its features
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Products.Write.
         */
        put: operations["changeEntitlementSet"];
        post?: never;
        /**
         * Delete an entitlement set that no license uses
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Products.Write.
         */
        delete: operations["deleteEntitlementSet"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/features/{featureId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a feature; a new name applies to every entitlement set that contains it
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Products.Write.
         */
        put: operations["changeFeature"];
        post?: never;
        /**
         * Delete a feature that no entitlement set contains
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Products.Write.
         */
        delete: operations["deleteFeature"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/institutions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The institutions that the caller belongs to; all of them for a system Admin
         * @description Any signed-in operator.
         */
        get: operations["listInstitutions"];
        put?: never;
        /**
         * Create an institution; the caller becomes its Owner
         * @description Any signed-in operator.
         */
        post: operations["createInstitution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/institutions/{institutionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One institution
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["showInstitution"];
        /**
         * Rename an institution
         * @description Requires the role Admin or higher in the institution.
         */
        put: operations["changeInstitution"];
        post?: never;
        /**
         * Delete an institution without products, permanently
         * @description Requires the role Owner or higher in the institution.
         */
        delete: operations["deleteInstitution"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/institutions/{institutionId}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed what in an institution; with `Accept: text/csv`, all of it as CSV
         * @description Requires the role Admin or higher in the institution.
         */
        get: operations["showAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/institutions/{institutionId}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The invitations of an institution, including closed ones
         * @description Requires the role Admin or higher in the institution.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a user by e-mail; `acceptUrl` is a link to hand over if no e-mail is configured
         * @description Requires the role Admin or higher in the institution.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/institutions/{institutionId}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation that was not accepted; its e-mail and its link stop working
         * @description Requires the role Admin or higher in the institution.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/institutions/{institutionId}/invitations/{invitationId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * E-mail a pending or expired invitation again, for seven days; earlier tokens stop working
         * @description Requires the role Admin or higher in the institution.
         */
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/institutions/{institutionId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The members of an institution. Sorts by fullName, email, joinedAt
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/institutions/{institutionId}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a member's role, or the products and releases that are assigned to a Member
         * @description Requires the role Admin or higher in the institution.
         */
        put: operations["changeMember"];
        post?: never;
        /**
         * Remove a member from an institution, or leave it; API keys they created there are revoked
         * @description Requires the role Viewer or higher in the institution.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/institutions/{institutionId}/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The figures of an institution, and its latest events
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["showInstitutionOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/institutions/{institutionId}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set how many products and licenses an institution may have
         * @description Requires a system Admin.
         */
        put: operations["setPlan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/institutions/{institutionId}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Allowed IP addresses, rate limits of keys, expiry reminders and telemetry retention
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["showSettings"];
        /**
         * Change an institution's settings; they take effect at the next request
         * @description Requires the role Admin or higher in the institution.
         */
        put: operations["changeSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List licenses, filtered and sorted; with `Accept: text/csv`, the whole list as CSV
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Licenses.Read.
         */
        get: operations["listLicenses"];
        put?: never;
        /**
         * Issue a license of any model
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Licenses.Write.
         */
        post: operations["issueLicense"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/{licenseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One license, with its current status
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Licenses.Read.
         */
        get: operations["showLicense"];
        /**
         * Change the fields that are present; a later `expirationDate` renews the license
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Licenses.Write.
         */
        put: operations["changeLicense"];
        post?: never;
        /**
         * Delete a license; its key becomes unknown
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Licenses.Write.
         */
        delete: operations["deleteLicense"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/{licenseId}/access-attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List devices that were denied because the node-locked license is bound to another one
         * @description Requires the role Admin or higher in the institution.
         */
        get: operations["listAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/{licenseId}/access-attempts/{attemptId}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark an access attempt as reviewed
         * @description Requires the role Admin or higher in the institution.
         */
        post: operations["acknowledgeAttempt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/{licenseId}/activations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the devices of a license
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Activations.Read.
         */
        get: operations["listActivations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/{licenseId}/convert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert a trial into a paid license with the same key
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Licenses.Write.
         */
        post: operations["convertLicense"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/{licenseId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a license, its devices, sessions and wallet, newest first
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["listEventsOfLicense"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/{licenseId}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain why a license is or is not valid: every rule in order, with its reason
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Licenses.Read.
         */
        post: operations["explain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/{licenseId}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download license.bin: plain or protected, for one machine if a hardware ID is given
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Licenses.Read.
         */
        get: operations["downloadFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/{licenseId}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ledger of a license; with `Accept: text/csv`, return all of it as CSV
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Licenses.Read.
         */
        get: operations["listLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/{licenseId}/meter-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the balance at which the vendor is warned; null for no warning
         * @description Requires the role Admin or higher in the institution.
         */
        put: operations["changeMeterSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/{licenseId}/reinstate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reinstate a suspended license
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Licenses.Write.
         */
        post: operations["reinstateLicense"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/{licenseId}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a license for good. Validation fails at once; license files at their next refresh
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Licenses.Write.
         */
        post: operations["revokeLicense"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/{licenseId}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the live sessions of a license, or with `status=Ended` the past ones
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Activations.Read.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/{licenseId}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend a license until it is reinstated
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Licenses.Write.
         */
        post: operations["suspendLicense"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue a fresh license.bin, if the license is valid for this application and device
         * @description Requires a product key.
         */
        post: operations["refreshFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate a license for an application and its device
         * @description Requires a product key.
         */
        post: operations["validate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * E-mails of the last 30 days, newest first; the text is deleted once an e-mail is sent
         * @description Requires a system Admin.
         */
        get: operations["listMails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/meter/adjust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Correct the balance of a license, up or down
         * @description Requires the role Admin or higher in the institution.
         */
        post: operations["adjustBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/meter/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the balance of a metered license; nothing is charged
         * @description Requires a product key.
         */
        get: operations["showOwnBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/meter/balance/{licenseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the balance of a metered license
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Licenses.Read.
         */
        get: operations["showBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/meter/consume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Charge a metered license for using a feature, once per idempotency key
         * @description Requires a product key.
         */
        post: operations["consume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/meter/features/{featureId}/pricing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the prices of a feature, past and present. Sorts by createdAt, tokenCost
         * @description Requires the role Admin or higher in the institution.
         */
        get: operations["listPrices"];
        /**
         * Set the price of one use of a feature for Credit-Based licenses, from now on
         * @description Requires the role Admin or higher in the institution.
         */
        put: operations["setPrice"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/meter/grant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add to the balance of a license
         * @description Requires the role Admin or higher in the institution.
         */
        post: operations["grantBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/meter/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check wallets against their ledgers; nothing is changed
         * @description Requires the role Admin or higher in the institution.
         */
        post: operations["reconcile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your notifications, newest first
         * @description Any signed-in operator.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/{notificationId}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a notification as read; a repetition changes nothing
         * @description Any signed-in operator.
         */
        post: operations["readNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show which kinds of notifications you receive, and how
         * @description Any signed-in operator.
         */
        get: operations["showPreferences"];
        /**
         * Choose which kinds of notifications you receive, and how; omitted kinds do not change
         * @description Any signed-in operator.
         */
        put: operations["changePreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/read-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark all your notifications as read
         * @description Any signed-in operator.
         */
        post: operations["readAllNotifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow your notifications: the number of unread ones, then each new one as it is created
         * @description Any signed-in operator.
         */
        get: operations["followNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/unread-count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count your unread notifications
         * @description Any signed-in operator.
         */
        get: operations["countUnread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request an e-mail that explains how to see the licenses issued to an e-mail address
         * @description Open to everybody.
         */
        post: operations["requestPortalAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/access/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account with the token from an e-mail, and sign in
         * @description Open to everybody.
         */
        post: operations["openPortalAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/licenses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the licenses issued to the user's verified e-mail address or user ID, by any vendor
         * @description Requires a signed-in user with a verified e-mail address, and shows what is theirs.
         */
        get: operations["listOwnLicenses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/licenses/{licenseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a license of the user with its current status
         * @description Requires a signed-in user with a verified e-mail address, and shows what is theirs.
         */
        get: operations["showOwnLicense"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/licenses/{licenseId}/activations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the devices of a license of the user
         * @description Requires a signed-in user with a verified e-mail address, and shows what is theirs.
         */
        get: operations["listOwnActivations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/licenses/{licenseId}/activations/{activationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a device that is lost or broken: its seat is free, its sessions end
         * @description Requires a signed-in user with a verified e-mail address, and shows what is theirs.
         */
        delete: operations["freeOwnActivation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/licenses/{licenseId}/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the balance of a metered license of the user
         * @description Requires a signed-in user with a verified e-mail address, and shows what is theirs.
         */
        get: operations["showOwnWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/licenses/{licenseId}/downloads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of published releases that the license covers, of the newest 100
         * @description Requires a signed-in user with a verified e-mail address, and shows what is theirs.
         */
        get: operations["listOwnDownloads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/licenses/{licenseId}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download license.bin: plain or protected, for one machine if a hardware ID is given
         * @description Requires a signed-in user with a verified e-mail address, and shows what is theirs.
         */
        get: operations["downloadOwnFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the visible products. Sorts by name, createdAt, updatedAt, licenseCount
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Products.Read.
         */
        get: operations["listProducts"];
        put?: never;
        /**
         * Create a product with a published first release and one product key
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Products.Write.
         */
        post: operations["createProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a product
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Products.Read.
         */
        get: operations["showProduct"];
        /**
         * Change a product; changing it to Opened removes its associated institutions
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Products.Write.
         */
        put: operations["changeProduct"];
        post?: never;
        /**
         * Delete a product without licenses, and everything in it, permanently
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Products.Write.
         */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the live product keys, newest first
         * @description Requires the role Admin or higher in the institution.
         */
        get: operations["showCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}/credentials/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a product key at once; the last one cannot be revoked
         * @description Requires the role Admin or higher in the institution.
         */
        delete: operations["deleteCredential"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}/credentials/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a product key; older ones expire after the grace period, or live until revoked
         * @description Requires the role Admin or higher in the institution.
         */
        post: operations["rotateCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}/entitlement-sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the entitlement sets of a product. Sorts by name, createdAt, updatedAt
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Products.Read.
         */
        get: operations["listEntitlementSets"];
        put?: never;
        /**
         * Create an entitlement set of existing features
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Products.Write.
         */
        post: operations["createEntitlementSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}/features": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the features of a product. Sorts by name, createdAt
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Products.Read.
         */
        get: operations["listFeatures"];
        put?: never;
        /**
         * Create a feature
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Products.Write.
         */
        post: operations["createFeature"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the image of a product; `imageUrl` changes with it, so it may be cached forever
         * @description Open to everybody.
         */
        get: operations["showProductImage"];
        /**
         * Set the image of a product: a PNG, JPEG or WebP of up to 2 MB
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Products.Write.
         */
        put: operations["setProductImage"];
        post?: never;
        /**
         * Delete the image of a product
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Products.Write.
         */
        delete: operations["deleteProductImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}/keys/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a signing key; each license.bin signed with the previous one becomes invalid
         * @description Requires the role Admin or higher in the institution.
         */
        post: operations["generateKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}/keys/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public key, with which applications verify license files
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Products.Read.
         */
        get: operations["showPublicKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}/keys/public/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the public key as a PEM file
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Products.Read.
         */
        get: operations["downloadPublicKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}/keys/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the product's signing key
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Products.Read.
         */
        get: operations["showKeysStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}/releases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the releases of a product. Sorts by version, channel, status, createdAt, publishedAt
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Releases.Read.
         */
        get: operations["listReleases"];
        put?: never;
        /**
         * Create a release; a draft, unless a status is given
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Releases.Write.
         */
        post: operations["createRelease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}/telemetry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a product's applications, newest first. Sorts by receivedAt
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Products.Read.
         */
        get: operations["listTelemetry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/releases/{releaseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a release
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Releases.Read.
         */
        get: operations["showRelease"];
        /**
         * Change a release; publish, yank or republish it
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Releases.Write.
         */
        put: operations["changeRelease"];
        post?: never;
        /**
         * Delete a release that no license is bound to
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Releases.Write.
         */
        delete: operations["deleteRelease"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/releases/{releaseId}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a release. Sorts by name, platform, sizeBytes, createdAt
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Releases.Read.
         */
        get: operations["listReleaseFiles"];
        put?: never;
        /**
         * Upload a file as a form; if `sha256` is given and does not match, nothing is stored
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Releases.Write.
         */
        post: operations["addReleaseFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/releases/{releaseId}/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a file permanently
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Releases.Write.
         */
        delete: operations["deleteReleaseFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/releases/{releaseId}/files/{fileId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file, or a range of its bytes
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Releases.Read.
         */
        get: operations["downloadReleaseFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/security/derive-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Derive the key of a protected license file; nothing is looked up, so nothing is revealed
         * @description Open to everybody.
         */
        post: operations["deriveKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/disconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a session; its seat is free at once
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Activations.Write.
         */
        post: operations["forceDisconnect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a session, which holds a seat of a Floating license while it is live
         * @description Requires a product key.
         */
        post: operations["connect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/disconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a session; its seat is free at once
         * @description Requires a product key.
         */
        post: operations["disconnect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend a session by its timeout
         * @description Requires a product key.
         */
        post: operations["heartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/statistics/activations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Devices by status, and device events of the period
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["showActivationStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/statistics/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What needs attention now: up to five items of each kind, the most urgent first
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["showAttention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/statistics/licenses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Licenses by status, model and product, and license events of the period
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["showLicenseStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/statistics/meter-usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Consumption, grants and balances of metered licenses, or of one of them
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["showMeterUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/statistics/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The figures of the home page
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["showOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/statistics/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Live sessions, and session events of the period
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["showSessionStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/statistics/telemetry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Telemetry by whole UTC days, within the retention period
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["showTelemetryStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/telemetry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report events of the application; all events of a request are stored, or none
         * @description Requires a product key.
         */
        post: operations["sendTelemetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/updates/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check for a newer release in the channel, and get the download URLs of its files
         * @description Requires a product key.
         */
        get: operations["showLatest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All accounts, or those whose address or name begins with `search`
         * @description Requires a system Admin.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Turn off the second factor of a user who has lost it; all their sessions end
         * @description Requires a system Admin.
         */
        delete: operations["removeSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a user's e-mail address as verified, if you know that it is theirs
         * @description Requires a system Admin.
         */
        post: operations["markEmailVerified"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again, as a new delivery with the same `webhook-id`
         * @description Requires the role Admin or higher in the institution.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of the caller's institutions. Sorts by url, createdAt, updatedAt
         * @description Requires the role Admin or higher in the institution.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook. The secret that signs events is in this response only
         * @description Requires the role Admin or higher in the institution.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a webhook
         * @description Requires the role Admin or higher in the institution.
         */
        get: operations["showWebhook"];
        /**
         * Change a webhook. Disabling it fails pending deliveries; enabling it resets its failures
         * @description Requires the role Admin or higher in the institution.
         */
        put: operations["changeWebhook"];
        post?: never;
        /**
         * Delete a webhook with its deliveries
         * @description Requires the role Admin or higher in the institution.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of the last 30 days. Sorts by createdAt, attempts
         * @description Requires the role Admin or higher in the institution.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret, which is in this response only. Both secrets sign for 24 hours
         * @description Requires the role Admin or higher in the institution.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a `webhook.test` event, whatever event types the webhook subscribes to
         * @description Requires the role Admin or higher in the institution.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** AcceptanceBody */
        AcceptanceBody: {
            fullName?: string | null;
            password?: string | null;
            token: string;
        };
        /** Listing[AccessAttemptView] */
        AccessAttemptList: {
            items: components["schemas"]["AccessAttemptView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** AccessAttemptView */
        AccessAttemptView: {
            attemptCount: number;
            attemptedHardwareId: string;
            boundHardwareId: string;
            entryPoint: components["schemas"]["EntryPoint"];
            /** Format: date-time */
            firstSeenAt: string;
            /** Format: uuid */
            id: string;
            ipAddress: string;
            /** Format: date-time */
            lastSeenAt: string;
            reviewed: boolean;
            reviewedAt: string | null;
        };
        /** AccessRequest */
        AccessRequest: {
            email: string;
        };
        /**
         * AccessType
         * @description Who may hold licenses: anyone, or named institutions.
         * @default Opened
         * @enum {string}
         */
        AccessType: "Opened" | "Associated";
        /** Listing[AccountView] */
        AccountList: {
            items: components["schemas"]["AccountView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** AccountView */
        AccountView: {
            /** Format: date-time */
            createdAt: string;
            email: string;
            emailVerified: boolean;
            fullName: string;
            /** Format: uuid */
            id: string;
            isSystemAdmin: boolean;
            memberships: components["schemas"]["MembershipView"][];
            totpEnabled: boolean;
        };
        /** ActivateAnswer */
        ActivateAnswer: {
            activatedAt: string | null;
            /** Format: uuid */
            activationId: string;
            seatsTotal: number | null;
            seatsUsed: number;
            status: components["schemas"]["ActivationStatus"];
        };
        /** ActivateBody */
        ActivateBody: {
            appVersion?: string | null;
            deviceName?: string | null;
            hardwareId: string;
            licenseKey: string;
            metadata?: {
                [key: string]: string;
            } | null;
            os?: string | null;
        };
        /** ActivationDay */
        ActivationDay: {
            accessAttempts: number;
            blocked: number;
            created: number;
            /** Format: date */
            date: string;
            removed: number;
        };
        /** Listing[ActivationView] */
        ActivationList: {
            items: components["schemas"]["ActivationView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * ActivationMode
         * @description Whether license.bin alone is enough (Offline) or the server must be asked (Online).
         * @default Online
         * @enum {string}
         */
        ActivationMode: "Online" | "Offline";
        /** ActivationState */
        ActivationState: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["ActivationStatus"];
        };
        /** ActivationStatistics */
        ActivationStatistics: {
            accessAttempts: number;
            active: number;
            blocked: number;
            created: number;
            dailyTrend: components["schemas"]["ActivationDay"][];
            /** Format: date-time */
            from: string;
            limitReached: number;
            pending: number;
            removed: number;
            /** Format: date-time */
            to: string;
            topLicenses: components["schemas"]["TopLicense"][];
            total: number;
            unreviewedAccessAttempts: number;
        };
        /**
         * ActivationStatus
         * @description The status of an activation; a blocked device keeps its seat.
         * @enum {string}
         */
        ActivationStatus: "Active" | "Pending" | "Blocked";
        /** ActivationView */
        ActivationView: {
            appVersion: string | null;
            /** Format: date-time */
            createdAt: string;
            deviceName: string | null;
            hardwareId: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** Format: uuid */
            licenseId: string;
            metadata: {
                [key: string]: string;
            };
            os: string | null;
            status: components["schemas"]["ActivationStatus"];
        };
        /** Activity */
        Activity: {
            actorKind: string | null;
            actorName: string | null;
            /** Format: uuid */
            id: string;
            licenseId: string | null;
            licenseName: string | null;
            /** Format: date-time */
            occurredAt: string;
            productId: string | null;
            /** Format: uuid */
            subjectId: string;
            subjectName: string | null;
            type: string;
        };
        /** AdjustBody */
        AdjustBody: {
            amount: number;
            /** Format: uuid */
            licenseId: string;
            reason: string;
        };
        /** ApiKeyBody */
        ApiKeyBody: {
            description?: string | null;
            expirationDate?: string | null;
            institutionId?: string | null;
            ipAllowList?: string[] | null;
            name: string;
            scopes: components["schemas"]["Scope"][];
        };
        /** Listing[ApiKeyView] */
        ApiKeyList: {
            items: components["schemas"]["ApiKeyView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** ApiKeyView */
        ApiKeyView: {
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            expirationDate: string | null;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            institutionId: string;
            ipAllowList: string[];
            lastUsedAt: string | null;
            name: string;
            revokedAt: string | null;
            scopes: components["schemas"]["Scope"][];
        };
        /** AttemptedLicense */
        AttemptedLicense: {
            attempts: number;
            /** Format: date-time */
            lastSeenAt: string;
            /** Format: uuid */
            licenseId: string;
            licenseName: string;
            /** Format: uuid */
            productId: string;
            productName: string;
        };
        /** AttemptedLicenses */
        AttemptedLicenses: {
            count: number;
            items: components["schemas"]["AttemptedLicense"][];
        };
        /** Attention */
        Attention: {
            accessAttempts: components["schemas"]["AttemptedLicenses"] | null;
            expiringLicenses: components["schemas"]["ExpiringLicenses"];
            lowBalances: components["schemas"]["LowLicenses"];
            pendingActivations: components["schemas"]["PendingDevices"];
        };
        /** Listing[AuditView] */
        AuditList: {
            items: components["schemas"]["AuditView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** AuditView */
        AuditView: {
            actorId: string | null;
            actorKind: string;
            actorName: string | null;
            changes: {
                [key: string]: unknown;
            } | null;
            data: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            id: string;
            ipAddress: string | null;
            kind: components["schemas"]["EventKind"];
            /** Format: date-time */
            occurredAt: string;
            productId: string | null;
            requestId: string | null;
            sealNumber: number | null;
            /** Format: uuid */
            subjectId: string;
        };
        /** BalanceAnswer */
        BalanceAnswer: {
            balance: number;
            /** Format: uuid */
            licenseId: string;
            mode: components["schemas"]["MeterMode"];
        };
        /** BalanceChangeAnswer */
        BalanceChangeAnswer: {
            balance: number;
            /** Format: uuid */
            ledgerEntryId: string;
            /** Format: uuid */
            licenseId: string;
        };
        /** ChannelsChange */
        ChannelsChange: {
            email?: boolean;
            inApp?: boolean;
        };
        /** ChannelsView */
        ChannelsView: {
            email: boolean;
            inApp: boolean;
        };
        /** ConfirmAccessBody */
        ConfirmAccessBody: {
            fullName: string;
            password: string;
            token: string;
        };
        /** ConnectAnswer */
        ConnectAnswer: {
            /** Format: date-time */
            expiresAt: string;
            heartbeatIntervalSeconds: number;
            seatsTotal: number | null;
            seatsUsed: number;
            /** Format: uuid */
            sessionId: string;
            sessionTimeoutSeconds: number;
        };
        /** ConnectBody */
        ConnectBody: {
            appVersion?: string | null;
            deviceName?: string | null;
            hardwareId: string;
            instanceId?: string | null;
            licenseKey: string;
        };
        /** ConsumeAnswer */
        ConsumeAnswer: {
            balance: number;
            cost: number;
            featureName: string;
            /** Format: uuid */
            ledgerEntryId: string;
            /** Format: uuid */
            licenseId: string;
            quantity: number;
            replayed: boolean;
            success: boolean;
        };
        /** ConsumeBody */
        ConsumeBody: {
            activationId?: string | null;
            featureName: string;
            hardwareId?: string | null;
            idempotencyKey?: string | null;
            licenseKey: string;
            quantity?: number | null;
        };
        /** ConvertBody */
        ConvertBody: {
            expirationDate?: string | null;
            maxActiveUsersCount?: number | null;
            type: components["schemas"]["LicenseType"] | number;
        };
        /** CredentialsView */
        CredentialsView: {
            apiKey: string | null;
            keys: components["schemas"]["ProductKeyView"][];
        };
        /** DeactivateBody */
        DeactivateBody: {
            hardwareId: string;
            licenseKey: string;
        };
        /** Listing[DeliveryView] */
        DeliveryList: {
            items: components["schemas"]["DeliveryView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * DeliveryStatus
         * @description The status of a delivery.
         * @enum {string}
         */
        DeliveryStatus: "Pending" | "Delivered" | "Failed";
        /** DeliveryView */
        DeliveryView: {
            attempts: number;
            /** Format: date-time */
            createdAt: string;
            deliveredAt: string | null;
            durationMs: number | null;
            /** Format: uuid */
            eventId: string;
            eventType: components["schemas"]["EventKind"];
            /** Format: uuid */
            id: string;
            lastError: string | null;
            lastResponseBody: string | null;
            lastResponseStatus: number | null;
            nextAttemptAt: string | null;
            payload: {
                [key: string]: unknown;
            };
            status: components["schemas"]["DeliveryStatus"];
            /** Format: uuid */
            webhookId: string;
        };
        /** DerivedKey */
        DerivedKey: {
            algorithm: string;
            derivedKey: string;
        };
        /** DeriveKeyBody */
        DeriveKeyBody: {
            licenseKey: string;
            salt: string;
        };
        /**
         * DeviceBindingMode
         * @description How a node-locked license gets its machine.
         * @enum {string}
         */
        DeviceBindingMode: "AutoBind" | "OwnerApproval";
        /**
         * DisabledReason
         * @description Why the service disabled a webhook.
         * @enum {string}
         */
        DisabledReason: "Gone" | "Failing";
        /** DownloadView */
        DownloadView: {
            downloadUrl: string;
            name: string;
            platform: string | null;
            sha256: string;
            sizeBytes: number;
        };
        /**
         * EndReason
         * @description Why a session ended.
         * @enum {string}
         */
        EndReason: "Disconnected" | "ForceDisconnected" | "TimedOut" | "Replaced" | "DeviceBlocked" | "Deactivated";
        /** EntitlementSetBody */
        EntitlementSetBody: {
            featureNames: string[];
            name: string;
        };
        /** EntitlementSetChange */
        EntitlementSetChange: {
            featureNames?: string[];
            name?: string;
        };
        /** Listing[EntitlementSetView] */
        EntitlementSetList: {
            items: components["schemas"]["EntitlementSetView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** EntitlementSetView */
        EntitlementSetView: {
            /** Format: date-time */
            createdAt: string;
            featureNames: string[];
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: uuid */
            productId: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * EntryPoint
         * @description The operation that an access attempt used.
         * @enum {string}
         */
        EntryPoint: "Validate" | "Activate" | "Connect";
        /**
         * ErrorCode
         * @description The stable error codes of the API; a code is never renamed.
         * @enum {unknown}
         */
        ErrorCode: "ActivationNotFound" | "ActivationRequired" | "ConcurrencyConflict" | "Conflict" | "DeviceBlocked" | "FeatureNotEntitled" | "Forbidden" | "HardwareMismatch" | "IdempotencyKeyReused" | "InsufficientBalance" | "InternalError" | "InvalidCredentials" | "InvalidRequest" | "KeysNotGenerated" | "LicenseExpired" | "LicenseInvalid" | "LicenseNotFound" | "MaxActivationsReached" | "MaxConcurrentSessionsReached" | "MethodNotAllowed" | "NotFound" | "NotMeteredLicense" | "OtpRequired" | "PayloadTooLarge" | "PendingApproval" | "PlanLimitReached" | "PricingNotConfigured" | "RangeNotSatisfiable" | "RateLimited" | "SessionNotFound" | "Unauthorized" | "Unavailable" | "UnsupportedMediaType" | "WalletNotFound";
        /**
         * EventKind
         * @description The kind of an event.
         * @enum {string}
         */
        EventKind: "access_attempt.detected" | "activation.approved" | "activation.blocked" | "activation.created" | "activation.deleted" | "activation.limit_reached" | "activation.pending" | "activation.unblocked" | "api_key.created" | "api_key.revoked" | "api_key.rotated" | "entitlement_set.created" | "entitlement_set.deleted" | "entitlement_set.updated" | "feature.created" | "feature.deleted" | "feature.priced" | "feature.updated" | "institution.created" | "institution.plan_changed" | "institution.settings_changed" | "institution.updated" | "invitation.resent" | "invitation.revoked" | "license.converted" | "license.created" | "license.deleted" | "license.expired" | "license.expiring" | "license.reinstated" | "license.renewed" | "license.revoked" | "license.suspended" | "license.updated" | "member.invited" | "member.joined" | "member.removed" | "member.updated" | "meter.adjusted" | "meter.depleted" | "meter.granted" | "meter.low_balance" | "product.created" | "product.deleted" | "product.key_revoked" | "product.key_rotated" | "product.keys_generated" | "product.keys_rotated" | "product.updated" | "release.created" | "release.deleted" | "release.published" | "release.updated" | "release_file.added" | "release_file.deleted" | "session.ended" | "session.limit_reached" | "session.started" | "user.all_sessions_ended" | "user.email_verified" | "user.password_changed" | "user.password_reset" | "user.recovery_code_used" | "user.recovery_codes_renewed" | "user.registered" | "user.session_ended" | "user.totp_disabled" | "user.totp_enabled" | "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.secret_rotated" | "webhook.test" | "webhook.updated";
        /** ExpiringLicense */
        ExpiringLicense: {
            /** Format: date-time */
            expirationDate: string;
            issuedTo: string | null;
            /** Format: uuid */
            licenseId: string;
            licenseName: string;
            /** Format: uuid */
            productId: string;
            productName: string;
            type: components["schemas"]["LicenseType"];
        };
        /** ExpiringLicenses */
        ExpiringLicenses: {
            count: number;
            items: components["schemas"]["ExpiringLicense"][];
        };
        /** ExplainBody */
        ExplainBody: {
            appVersion?: string | null;
            hardwareId?: string | null;
        };
        /** Explanation */
        Explanation: {
            rules: components["schemas"]["RuleView"][];
            status: components["schemas"]["ValidationStatus"];
        };
        /** FactorProof */
        FactorProof: {
            otpCode?: string | null;
            password?: string | null;
        };
        /** FeatureBody */
        FeatureBody: {
            description?: string | null;
            displayName?: string | null;
            name: string;
        };
        /** FeatureChange */
        FeatureChange: {
            description?: string | null;
            displayName?: string | null;
            name?: string;
        };
        /** Listing[FeatureView] */
        FeatureList: {
            items: components["schemas"]["FeatureView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** FeaturePriceBody */
        FeaturePriceBody: {
            tokenCost: number;
        };
        /** Listing[FeaturePriceView] */
        FeaturePriceList: {
            items: components["schemas"]["FeaturePriceView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** FeaturePriceView */
        FeaturePriceView: {
            active: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            featureId: string;
            /** Format: uuid */
            id: string;
            tokenCost: number;
        };
        /** FeatureView */
        FeatureView: {
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            displayName: string | null;
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: uuid */
            productId: string;
        };
        /**
         * FieldError
         * @description One bad field: its path in the request (`settings.ipAllowList[0]`) and the reason.
         */
        FieldError: {
            field: string;
            message: string;
        };
        /** GenerateSigningKeyBody */
        GenerateSigningKeyBody: {
            /**
             * @default 3072
             * @enum {integer}
             */
            keySize: 2048 | 3072 | 4096;
        };
        /** GrantBody */
        GrantBody: {
            amount: number;
            externalReference?: string | null;
            /** Format: uuid */
            licenseId: string;
            reason?: string | null;
        };
        /** HeartbeatAnswer */
        HeartbeatAnswer: {
            /** Format: date-time */
            expiresAt: string;
            heartbeatIntervalSeconds: number;
            /** Format: uuid */
            sessionId: string;
        };
        /** InstitutionBody */
        InstitutionBody: {
            name: string;
        };
        /** InstitutionChange */
        InstitutionChange: {
            name?: string;
        };
        /** Listing[InstitutionView] */
        InstitutionList: {
            items: components["schemas"]["InstitutionView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** InstitutionOverview */
        InstitutionOverview: {
            activations: number;
            activeLicenses: number;
            blockedActivations: number;
            expiringIn30Days: number;
            licenses: number;
            liveSessions: number;
            members: number;
            pendingActivations: number;
            products: number;
            recentActivity: components["schemas"]["Activity"][];
            unreviewedAccessAttempts: number;
        };
        /** InstitutionSettingsChange */
        InstitutionSettingsChange: {
            apiKeyRateLimit?: number | null;
            expiryReminderDays?: number[] | null;
            ipAllowList?: string[] | null;
            runtimeRateLimit?: number | null;
            telemetryRetentionDays?: number;
        };
        /** InstitutionSettingsView */
        InstitutionSettingsView: {
            apiKeyRateLimit: number | null;
            callerAddress: string;
            callerAddressAllowed: boolean;
            expiryReminderDays: number[];
            ipAllowList: string[];
            runtimeRateLimit: number | null;
            telemetryRetentionDays: number;
        };
        /** InstitutionView */
        InstitutionView: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            limits: components["schemas"]["PlanLimits"];
            name: string;
            plan: components["schemas"]["Plan"];
        };
        /** InvitationBody */
        InvitationBody: {
            email: string;
            productIds?: string[] | null;
            releaseIds?: string[] | null;
            role: components["schemas"]["Role"];
        };
        /** Listing[InvitationView] */
        InvitationList: {
            items: components["schemas"]["InvitationView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** InvitationPreviewView */
        InvitationPreviewView: {
            email: string | null;
            /** Format: date-time */
            expiresAt: string;
            hasAccount: boolean;
            institutionName: string;
            role: components["schemas"]["Role"];
        };
        /**
         * InvitationStatus
         * @description The status of an invitation; only a Pending one can be accepted.
         * @enum {string}
         */
        InvitationStatus: "Pending" | "Accepted" | "Expired" | "Revoked";
        /** InvitationView */
        InvitationView: {
            acceptUrl: string | null;
            /** Format: date-time */
            createdAt: string;
            email: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            productIds: string[];
            releaseIds: string[];
            role: components["schemas"]["Role"];
            status: components["schemas"]["InvitationStatus"];
        };
        /** IssueBody */
        IssueBody: {
            activationMode?: components["schemas"]["ActivationMode"];
            customerInstitutionId?: string | null;
            deviceBindingMode?: components["schemas"]["DeviceBindingMode"] | null;
            entitlementSetId?: string | null;
            expirationDate?: string | null;
            initialMeterBalance?: number | null;
            issuedTo?: string | null;
            issuer?: string | null;
            licenseKey?: string | null;
            licenseName: string;
            maxActiveUsersCount?: number | null;
            metadata?: {
                [key: string]: string;
            } | null;
            notes?: string | null;
            password?: string | null;
            /** Format: uuid */
            productId: string;
            softwareReleaseId?: string | null;
            type: components["schemas"]["LicenseType"] | number;
            username?: string | null;
        };
        /** IssuedApiKeyView */
        IssuedApiKeyView: {
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            expirationDate: string | null;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            institutionId: string;
            ipAllowList: string[];
            lastUsedAt: string | null;
            name: string;
            revokedAt: string | null;
            scopes: components["schemas"]["Scope"][];
            secret: string;
        };
        /** IssuedWebhookView */
        IssuedWebhookView: {
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            disabledAt: string | null;
            disabledReason: components["schemas"]["DisabledReason"] | null;
            enabled: boolean;
            eventTypes: components["schemas"]["WebhookEventType"][];
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            institutionId: string;
            lastDeliveryAt: string | null;
            lastStatus: components["schemas"]["DeliveryStatus"] | null;
            secret: string;
            /** Format: date-time */
            updatedAt: string;
            url: string;
        };
        /** Listing[LedgerEntryView] */
        LedgerEntryList: {
            items: components["schemas"]["LedgerEntryView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * LedgerEntryType
         * @description Why a balance changed.
         * @enum {string}
         */
        LedgerEntryType: "InitialGrant" | "Consume" | "AdminGrant" | "Adjust";
        /** LedgerEntryView */
        LedgerEntryView: {
            activationId: string | null;
            amount: number;
            balanceAfter: number;
            /** Format: date-time */
            createdAt: string;
            externalReference: string | null;
            featureName: string | null;
            /** Format: uuid */
            id: string;
            idempotencyKey: string | null;
            quantity: number | null;
            reason: string | null;
            sequence: number | null;
            type: components["schemas"]["LedgerEntryType"];
            unitPrice: number | null;
        };
        /** LedgerMismatchView */
        LedgerMismatchView: {
            balance: number;
            firstBadSequence: number | null;
            ledgerBalance: number | null;
            /** Format: uuid */
            licenseId: string;
            problems: components["schemas"]["LedgerProblem"][];
        };
        /**
         * LedgerProblem
         * @description How a wallet and its ledger disagree.
         * @enum {string}
         */
        LedgerProblem: "EntryMissing" | "EntryAdded" | "EntryChanged" | "BalanceDiffers";
        /** LicenseChange */
        LicenseChange: {
            activationMode?: components["schemas"]["ActivationMode"];
            customerInstitutionId?: string | null;
            deviceBindingMode?: components["schemas"]["DeviceBindingMode"];
            entitlementSetId?: string | null;
            expirationDate?: string | null;
            issuedTo?: string | null;
            issuer?: string | null;
            licenseName?: string;
            maxActiveUsersCount?: number;
            metadata?: {
                [key: string]: string;
            } | null;
            notes?: string | null;
            password?: string | null;
            softwareReleaseId?: string;
            username?: string | null;
        };
        /** LicenseDay */
        LicenseDay: {
            converted: number;
            created: number;
            /** Format: date */
            date: string;
            renewed: number;
            revoked: number;
        };
        /** Listing[LicenseEventView] */
        LicenseEventList: {
            items: components["schemas"]["LicenseEventView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** LicenseEventView */
        LicenseEventView: {
            actorKind: string | null;
            actorName: string | null;
            changes: {
                [key: string]: unknown;
            } | null;
            data: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            occurredAt: string;
            /** Format: uuid */
            subjectId: string;
            type: components["schemas"]["EventKind"];
        };
        /** Listing[LicenseView] */
        LicenseList: {
            items: components["schemas"]["LicenseView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** LicenseStatistics */
        LicenseStatistics: {
            byProduct: components["schemas"]["ProductLicenses"][];
            byStatus: {
                [key: string]: number;
            };
            byType: {
                [key: string]: number;
            };
            converted: number;
            created: number;
            dailyTrend: components["schemas"]["LicenseDay"][];
            expiringIn30Days: number;
            /** Format: date-time */
            from: string;
            renewed: number;
            revoked: number;
            /** Format: date-time */
            to: string;
            total: number;
        };
        /**
         * LicenseStatus
         * @description What a license is at an instant.
         * @enum {string}
         */
        LicenseStatus: "Active" | "Expired" | "Revoked" | "Suspended";
        /**
         * LicenseType
         * @description The license models; on the wire by name, on create also by number.
         * @enum {string}
         */
        LicenseType: "Perpetual" | "Trial" | "Subscription" | "Floating" | "Concurrent" | "NodeLocked" | "MeteredToken" | "MeteredCount";
        /** LicenseView */
        LicenseView: {
            activationMode: components["schemas"]["ActivationMode"];
            /** Format: date-time */
            createdAt: string;
            customerInstitutionId: string | null;
            deviceBindingMode: components["schemas"]["DeviceBindingMode"] | null;
            entitlementSetId: string | null;
            expirationDate: string | null;
            features: string[] | null;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            institutionId: string;
            issuedTo: string | null;
            issuer: string | null;
            licenseKey: string;
            licenseName: string;
            lowBalanceThreshold: number | null;
            maxActiveUsersCount: number | null;
            metadata: {
                [key: string]: string;
            };
            meterBalance: number | null;
            meterMode: components["schemas"]["MeterMode"] | null;
            notes: string | null;
            /** Format: uuid */
            productId: string;
            productName: string;
            releaseVersion: string;
            revokedAt: string | null;
            seatsUsed: number | null;
            /** Format: uuid */
            softwareReleaseId: string;
            status: components["schemas"]["LicenseStatus"];
            type: components["schemas"]["LicenseType"];
            unreviewedAccessAttempts: number;
            /** Format: date-time */
            updatedAt: string;
            username: string | null;
        };
        /** LoginBody */
        LoginBody: {
            email: string;
            otpCode?: string | null;
            password: string;
        };
        /** LowBalanceLicense */
        LowBalanceLicense: {
            balance: number;
            /** Format: uuid */
            licenseId: string;
            licenseName: string;
            lowBalanceThreshold: number | null;
            /** Format: uuid */
            productId: string;
            type: components["schemas"]["LicenseType"];
        };
        /** LowLicense */
        LowLicense: {
            balance: number;
            /** Format: uuid */
            licenseId: string;
            licenseName: string;
            lowBalanceThreshold: number | null;
            /** Format: uuid */
            productId: string;
            productName: string;
        };
        /** LowLicenses */
        LowLicenses: {
            count: number;
            items: components["schemas"]["LowLicense"][];
        };
        /** Listing[MailView] */
        MailList: {
            items: components["schemas"]["MailView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * MailStatus
         * @description The delivery status of an e-mail.
         * @enum {string}
         */
        MailStatus: "Waiting" | "Sent" | "Failed";
        /** MailView */
        MailView: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            recipient: string;
            sentAt: string | null;
            status: components["schemas"]["MailStatus"];
            subject: string;
            text: string | null;
        };
        /** MemberChange */
        MemberChange: {
            productIds?: string[] | null;
            releaseIds?: string[] | null;
            role?: components["schemas"]["Role"];
        };
        /** Listing[MemberView] */
        MemberList: {
            items: components["schemas"]["MemberView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** MembershipView */
        MembershipView: {
            /** Format: uuid */
            institutionId: string;
            institutionName: string;
            role: components["schemas"]["Role"];
        };
        /** MemberView */
        MemberView: {
            email: string;
            fullName: string;
            /** Format: date-time */
            joinedAt: string;
            productIds: string[];
            releaseIds: string[];
            role: components["schemas"]["Role"];
            totpEnabled: boolean;
            /** Format: uuid */
            userId: string;
        };
        /** MeterDay */
        MeterDay: {
            consumed: number;
            /** Format: date */
            date: string;
            granted: number;
        };
        /**
         * MeterMode
         * @description What a meter counts: uses, or tokens at a price for each feature.
         * @enum {string}
         */
        MeterMode: "Count" | "Token";
        /** MeterSettingsChange */
        MeterSettingsChange: {
            lowBalanceThreshold?: number | null;
        };
        /** MeterStatistics */
        MeterStatistics: {
            adjustments: number;
            byMode: {
                [key: string]: components["schemas"]["ModeUsage"];
            };
            consumption: number;
            dailyTrend: components["schemas"]["MeterDay"][];
            /** Format: date-time */
            from: string;
            grants: number;
            lowBalanceLicenses: components["schemas"]["LowBalanceLicense"][];
            meteredCountLicenseCount: number;
            meteredTokenLicenseCount: number;
            /** Format: date-time */
            to: string;
            topFeatures: components["schemas"]["MeterTopFeature"][];
            topLicenses: components["schemas"]["MeterTopLicense"][];
            totalBalance: number;
        };
        /** MeterTopFeature */
        MeterTopFeature: {
            consumed: number;
            featureName: string;
        };
        /** MeterTopLicense */
        MeterTopLicense: {
            consumed: number;
            /** Format: uuid */
            licenseId: string;
            licenseName: string;
            /** Format: uuid */
            productId: string;
            type: components["schemas"]["LicenseType"];
        };
        /** ModeUsage */
        ModeUsage: {
            adjustments: number;
            consumption: number;
            dailyTrend: components["schemas"]["MeterDay"][];
            grants: number;
            lowBalanceLicenses: components["schemas"]["LowBalanceLicense"][];
            topFeatures: components["schemas"]["MeterTopFeature"][];
            topLicenses: components["schemas"]["MeterTopLicense"][];
            totalBalance: number;
        };
        /**
         * NotificationKind
         * @description The kind of a notification, which each user can turn on and off.
         * @enum {string}
         */
        NotificationKind: "LicenseExpiring" | "LicenseExpired" | "DeviceActivated" | "AccessAttempt" | "LowBalance" | "WebhookDisabled" | "Invitation";
        /** Listing[NotificationView] */
        NotificationList: {
            items: components["schemas"]["NotificationView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * NotificationSubject
         * @description What a notification links to.
         * @enum {string}
         */
        NotificationSubject: "License" | "Webhook" | "Invitation" | "Member";
        /** NotificationView */
        NotificationView: {
            body: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            institutionId: string;
            kind: components["schemas"]["NotificationKind"];
            productId: string | null;
            readAt: string | null;
            /** Format: uuid */
            subjectId: string;
            subjectKind: components["schemas"]["NotificationSubject"];
            title: string;
        };
        /** OfferedFactorView */
        OfferedFactorView: {
            otpauthUri: string;
            secret: string;
        };
        /** OtpBody */
        OtpBody: {
            otpCode: string;
        };
        /** Overview */
        Overview: {
            activations: number;
            activationsCreated: number;
            activeLicenses: number;
            blockedActivations: number;
            expiringIn30Days: number;
            /** Format: date-time */
            from: string;
            licenses: number;
            licensesCreated: number;
            liveSessions: number;
            pendingActivations: number;
            products: number;
            sessionsStarted: number;
            /** Format: date-time */
            to: string;
            unreviewedAccessAttempts: number;
        };
        /** OwnLimits */
        OwnLimits: {
            licenses?: number | null;
            products?: number | null;
        };
        /** PasswordChange */
        PasswordChange: {
            currentPassword: string;
            newPassword: string;
        };
        /** PendingDevice */
        PendingDevice: {
            /** Format: uuid */
            activationId: string;
            /** Format: date-time */
            createdAt: string;
            deviceName: string | null;
            /** Format: uuid */
            licenseId: string;
            licenseName: string;
            /** Format: uuid */
            productId: string;
            productName: string;
        };
        /** PendingDevices */
        PendingDevices: {
            count: number;
            items: components["schemas"]["PendingDevice"][];
        };
        /**
         * Plan
         * @description The plan of an institution; Unlimited unless a system Admin changes it.
         * @enum {string}
         */
        Plan: "Free" | "Pro" | "Unlimited";
        /** PlanBody */
        PlanBody: {
            limits?: components["schemas"]["OwnLimits"] | null;
            plan: components["schemas"]["Plan"];
        };
        /** PlanLimits */
        PlanLimits: {
            licenses: number | null;
            products: number | null;
        };
        /** Listing[PortalActivationView] */
        PortalActivationList: {
            items: components["schemas"]["PortalActivationView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** PortalActivationView */
        PortalActivationView: {
            appVersion: string | null;
            /** Format: date-time */
            createdAt: string;
            deviceName: string | null;
            hardwareId: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** Format: uuid */
            licenseId: string;
            os: string | null;
            status: components["schemas"]["ActivationStatus"];
        };
        /** Listing[PortalDownloadView] */
        PortalDownloadList: {
            items: components["schemas"]["PortalDownloadView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** PortalDownloadView */
        PortalDownloadView: {
            channel: string;
            files: components["schemas"]["DownloadView"][];
            notes: string | null;
            publishedAt: string | null;
            /** Format: uuid */
            releaseId: string;
            version: string;
        };
        /** Listing[PortalLicenseView] */
        PortalLicenseList: {
            items: components["schemas"]["PortalLicenseView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** PortalLicenseView */
        PortalLicenseView: {
            activationMode: components["schemas"]["ActivationMode"];
            /** Format: date-time */
            createdAt: string;
            deviceReleasesLeft: number;
            deviceReleasesPerYear: number;
            expirationDate: string | null;
            features: string[] | null;
            /** Format: uuid */
            id: string;
            institutionName: string;
            issuedTo: string | null;
            issuer: string | null;
            licenseKey: string;
            licenseName: string;
            maxActiveUsersCount: number | null;
            metadata: {
                [key: string]: string;
            };
            meterBalance: number | null;
            meterMode: components["schemas"]["MeterMode"] | null;
            /** Format: uuid */
            productId: string;
            productName: string;
            releaseVersion: string;
            seatsUsed: number | null;
            status: components["schemas"]["LicenseStatus"];
            type: components["schemas"]["LicenseType"];
        };
        /** PreferencesChange */
        PreferencesChange: {
            AccessAttempt?: components["schemas"]["ChannelsChange"];
            DeviceActivated?: components["schemas"]["ChannelsChange"];
            Invitation?: components["schemas"]["ChannelsChange"];
            LicenseExpired?: components["schemas"]["ChannelsChange"];
            LicenseExpiring?: components["schemas"]["ChannelsChange"];
            LowBalance?: components["schemas"]["ChannelsChange"];
            WebhookDisabled?: components["schemas"]["ChannelsChange"];
        };
        /** PreferencesView */
        PreferencesView: {
            AccessAttempt: components["schemas"]["ChannelsView"];
            DeviceActivated: components["schemas"]["ChannelsView"];
            Invitation: components["schemas"]["ChannelsView"];
            LicenseExpired: components["schemas"]["ChannelsView"];
            LicenseExpiring: components["schemas"]["ChannelsView"];
            LowBalance: components["schemas"]["ChannelsView"];
            WebhookDisabled: components["schemas"]["ChannelsView"];
        };
        /**
         * Problem
         * @description A refusal as the API documents it; some codes add members such as `seatsUsed`.
         */
        Problem: {
            detail: string;
            errorCode: components["schemas"]["ErrorCode"];
            errors: components["schemas"]["FieldError"][];
            requestId: string;
            status: number;
            success: boolean;
            title: string;
            type: string;
        };
        /** ProductBody */
        ProductBody: {
            accessType?: components["schemas"]["AccessType"];
            associatedInstitutionIds?: string[] | null;
            description?: string | null;
            initialVersion: string;
            institutionId?: string | null;
            name: string;
            /** @default Stable */
            releaseChannel: string;
            settings?: components["schemas"]["ProductSettingsBody"] | null;
        };
        /** ProductChange */
        ProductChange: {
            accessType?: components["schemas"]["AccessType"];
            associatedInstitutionIds?: string[] | null;
            description?: string | null;
            name?: string;
            settings?: components["schemas"]["ProductSettingsChange"];
        };
        /** ProductKeyView */
        ProductKeyView: {
            apiKey: string;
            /** Format: date-time */
            createdAt: string;
            expiresAt: string | null;
            /** Format: uuid */
            id: string;
        };
        /** ProductLicenses */
        ProductLicenses: {
            active: number;
            /** Format: uuid */
            productId: string;
            productName: string;
            total: number;
        };
        /** Listing[ProductView] */
        ProductList: {
            items: components["schemas"]["ProductView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** ProductSettingsBody */
        ProductSettingsBody: {
            deviceReleasesPerYear?: number;
            downloadsNeedLicense?: boolean;
            heartbeatIntervalSeconds?: number;
            heartbeatMinSpacingSeconds?: number;
            offlineFileLifetimeDays?: number;
            sessionTimeoutSeconds?: number;
        };
        /** ProductSettingsChange */
        ProductSettingsChange: {
            deviceReleasesPerYear?: number;
            downloadsNeedLicense?: boolean;
            heartbeatIntervalSeconds?: number;
            heartbeatMinSpacingSeconds?: number;
            offlineFileLifetimeDays?: number | null;
            sessionTimeoutSeconds?: number;
        };
        /** ProductSettingsView */
        ProductSettingsView: {
            deviceReleasesPerYear: number;
            downloadsNeedLicense: boolean;
            heartbeatIntervalSeconds: number;
            heartbeatMinSpacingSeconds: number;
            offlineFileLifetimeDays: number | null;
            sessionTimeoutSeconds: number;
        };
        /** ProductView */
        ProductView: {
            accessType: components["schemas"]["AccessType"];
            associatedInstitutionIds: string[];
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            hasKeys: boolean;
            /** Format: uuid */
            id: string;
            imageUrl: string | null;
            /** Format: uuid */
            institutionId: string;
            licenseCount: number | null;
            name: string;
            settings: components["schemas"]["ProductSettingsView"];
            /** Format: date-time */
            updatedAt: string;
        };
        /** ProfileChange */
        ProfileChange: {
            fullName?: string;
        };
        /** ProfileView */
        ProfileView: {
            email: string;
            emailVerified: boolean;
            fullName: string;
            /** Format: uuid */
            id: string;
            isSystemAdmin: boolean;
            memberships: components["schemas"]["MembershipView"][];
            recoveryCodesLeft: number | null;
            totpEnabled: boolean;
        };
        /** PublicKeyView */
        PublicKeyView: {
            algorithm: string;
            keySize: number;
            kid: string;
            publicKey: string;
            publicKeyPem: string;
        };
        /** ReasonBody */
        ReasonBody: {
            reason?: string | null;
        };
        /** ReconcileAnswer */
        ReconcileAnswer: {
            checked: number;
            mismatches: components["schemas"]["LedgerMismatchView"][];
        };
        /** ReconcileBody */
        ReconcileBody: {
            licenseId?: string | null;
        };
        /** RecoveryCodesView */
        RecoveryCodesView: {
            recoveryCodes: string[];
        };
        /** RefreshAnswer */
        RefreshAnswer: {
            expiresAt: string | null;
            file: string;
        };
        /** RefreshBody */
        RefreshBody: {
            hardwareId?: string | null;
            licenseKey: string;
            password?: string | null;
            /** @default false */
            protected: boolean;
            username?: string | null;
        };
        /** RegisterBody */
        RegisterBody: {
            email: string;
            fullName: string;
            institutionName: string;
            password: string;
        };
        /** ReleaseBody */
        ReleaseBody: {
            /** @default Stable */
            channel: string;
            notes?: string | null;
            status?: components["schemas"]["ReleaseStatus"];
            version: string;
        };
        /** ReleaseChange */
        ReleaseChange: {
            channel?: string;
            notes?: string | null;
            status?: components["schemas"]["ReleaseStatus"];
            version?: string;
        };
        /** Listing[ReleaseFileView] */
        ReleaseFileList: {
            items: components["schemas"]["ReleaseFileView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** ReleaseFileView */
        ReleaseFileView: {
            contentType: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            name: string;
            platform: string | null;
            sha256: string;
            sizeBytes: number;
        };
        /** Listing[ReleaseView] */
        ReleaseList: {
            items: components["schemas"]["ReleaseView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * ReleaseStatus
         * @description The status of a release; only Published ones are offered.
         * @default Draft
         * @enum {string}
         */
        ReleaseStatus: "Draft" | "Published" | "Yanked";
        /** ReleaseView */
        ReleaseView: {
            channel: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            notes: string | null;
            /** Format: uuid */
            productId: string;
            publishedAt: string | null;
            status: components["schemas"]["ReleaseStatus"];
            /** Format: date-time */
            updatedAt: string;
            version: string;
        };
        /** ResetBody */
        ResetBody: {
            password: string;
            token: string;
        };
        /** ResetRequest */
        ResetRequest: {
            email: string;
        };
        /**
         * Role
         * @description A member's role in an institution; each role may do everything that the later ones may.
         * @enum {string}
         */
        Role: "Owner" | "Admin" | "Member" | "Viewer";
        /** RotateProductKeyBody */
        RotateProductKeyBody: {
            graceSeconds?: number | null;
        };
        /** RuleView */
        RuleView: {
            detail: string;
            passed: boolean;
            rule: string;
        };
        /**
         * Scope
         * @description What an API key may be used for. A write scope includes the read scope.
         * @enum {string}
         */
        Scope: "Licenses.Read" | "Licenses.Write" | "Activations.Read" | "Activations.Write" | "Products.Read" | "Products.Write" | "Releases.Read" | "Releases.Write";
        /** Listing[SeatSessionView] */
        SeatSessionList: {
            items: components["schemas"]["SeatSessionView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** SeatSessionView */
        SeatSessionView: {
            appVersion: string | null;
            /** Format: date-time */
            connectedAt: string;
            deviceName: string | null;
            endedAt: string | null;
            endReason: components["schemas"]["EndReason"] | null;
            expiresAt: string | null;
            hardwareId: string;
            /** Format: uuid */
            id: string;
            instanceId: string | null;
            lastHeartbeatAt: string | null;
            /** Format: uuid */
            licenseId: string;
            status: components["schemas"]["SessionStatus"];
        };
        /** SessionBody */
        SessionBody: {
            /** Format: uuid */
            sessionId: string;
        };
        /** SessionDay */
        SessionDay: {
            /** Format: date */
            date: string;
            ended: number;
            limitReached: number;
            started: number;
        };
        /** SessionStatistics */
        SessionStatistics: {
            dailyTrend: components["schemas"]["SessionDay"][];
            ended: number;
            /** Format: date-time */
            from: string;
            limitReached: number;
            live: number;
            started: number;
            /** Format: date-time */
            to: string;
            topLicenses: components["schemas"]["TopLicense"][];
        };
        /**
         * SessionStatus
         * @description Whether a session is live.
         * @default Live
         * @enum {string}
         */
        SessionStatus: "Live" | "Ended";
        /** SetupBody */
        SetupBody: {
            email: string;
            fullName: string;
            institutionName: string;
            password: string;
            setupToken: string;
        };
        /** SetupView */
        SetupView: {
            required: boolean;
            session: boolean;
            signUp: components["schemas"]["SignUp"];
        };
        /** SigningKeyStatusView */
        SigningKeyStatusView: {
            algorithm?: string | null;
            createdAt?: string | null;
            exists: boolean;
            /** @default 0 */
            generation: number;
            keySize?: number | null;
            kid?: string | null;
            rotatedAt?: string | null;
        };
        /** SigningKeyView */
        SigningKeyView: {
            algorithm: string;
            /** Format: date-time */
            createdAt: string;
            keySize: number;
            kid: string;
        };
        /** Listing[SignInView] */
        SignInList: {
            items: components["schemas"]["SignInView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** SignInView */
        SignInView: {
            /** Format: date-time */
            createdAt: string;
            current: boolean;
            /** Format: uuid */
            id: string;
            ipAddress: string | null;
            /** Format: date-time */
            lastUsedAt: string;
            userAgent: string | null;
        };
        /**
         * SignUp
         * @description Whether people may create accounts for themselves.
         * @enum {string}
         */
        SignUp: "Open" | "Closed";
        /** TelemetryAnswer */
        TelemetryAnswer: {
            accepted: number;
        };
        /** TelemetryBody */
        TelemetryBody: {
            events: components["schemas"]["TelemetryEventBody"][];
            hardwareId?: string | null;
            licenseKey?: string | null;
        };
        /** TelemetryDay */
        TelemetryDay: {
            /** Format: date */
            date: string;
            devices: number;
            events: number;
        };
        /** TelemetryEventBody */
        TelemetryEventBody: {
            name: string;
            /** Format: date-time */
            occurredAt: string;
            properties?: {
                [key: string]: string | boolean | number;
            } | null;
        };
        /** Listing[TelemetryEventView] */
        TelemetryEventList: {
            items: components["schemas"]["TelemetryEventView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** TelemetryEventView */
        TelemetryEventView: {
            device: string | null;
            /** Format: uuid */
            id: string;
            licenseId: string | null;
            name: string;
            /** Format: date-time */
            occurredAt: string;
            properties: {
                [key: string]: string | boolean | number;
            };
            /** Format: date-time */
            receivedAt: string;
        };
        /** TelemetryName */
        TelemetryName: {
            devices: number;
            events: number;
            name: string;
        };
        /** TelemetryStatistics */
        TelemetryStatistics: {
            dailyTrend: components["schemas"]["TelemetryDay"][];
            devices: number;
            events: number;
            /** Format: date-time */
            from: string;
            licenses: number;
            /** Format: date-time */
            to: string;
            topNames: components["schemas"]["TelemetryName"][];
        };
        /** TokenBody */
        TokenBody: {
            token: string;
        };
        /** TopLicense */
        TopLicense: {
            count: number;
            /** Format: uuid */
            licenseId: string;
            licenseName: string;
            /** Format: uuid */
            productId: string;
            seatsTotal: number | null;
            type: components["schemas"]["LicenseType"];
        };
        /** UnreadView */
        UnreadView: {
            unread: number;
        };
        /** UpdateAnswer */
        UpdateAnswer: {
            channel: string;
            files: components["schemas"]["DownloadView"][];
            notes: string | null;
            publishedAt: string | null;
            releaseId: string | null;
            updateAvailable: boolean;
            version: string | null;
        };
        /** UserSessionView */
        UserSessionView: {
            accessToken: string;
            expiresIn: number;
            tokenType: string;
            user: components["schemas"]["UserView"];
        };
        /** UserView */
        UserView: {
            email: string;
            emailVerified: boolean;
            fullName: string;
            /** Format: uuid */
            id: string;
            isSystemAdmin: boolean;
            memberships: components["schemas"]["MembershipView"][];
            totpEnabled: boolean;
        };
        /** ValidateAnswer */
        ValidateAnswer: {
            activation: components["schemas"]["ActivationState"] | null;
            license: components["schemas"]["ValidatedLicense"] | null;
            message: string;
            nonce: string | null;
            requestId: string;
            /** Format: date-time */
            serverTime: string;
            status: components["schemas"]["ValidationStatus"];
            token?: string;
            valid: boolean;
        };
        /** ValidateBody */
        ValidateBody: {
            appVersion?: string | null;
            deviceName?: string | null;
            hardwareId?: string | null;
            licenseKey: string;
            nonce?: string | null;
            password?: string | null;
            /** @default false */
            signed: boolean;
            username?: string | null;
        };
        /** ValidatedLicense */
        ValidatedLicense: {
            activationMode: components["schemas"]["ActivationMode"];
            expirationDate: string | null;
            features: string[] | null;
            /** Format: uuid */
            id: string;
            issuedTo: string | null;
            maxActiveUsersCount: number | null;
            metadata: {
                [key: string]: string;
            };
            name: string;
            status: components["schemas"]["LicenseStatus"];
            type: components["schemas"]["LicenseType"];
        };
        /**
         * ValidationStatus
         * @description The stable codes of a verdict; an SDK shows them and programs branch on them.
         * @enum {string}
         */
        ValidationStatus: "Valid" | "LicenseNotFound" | "Expired" | "Revoked" | "Suspended" | "HardwareIdRequired" | "HardwareMismatch" | "PendingApproval" | "DeviceBlocked" | "CredentialsRequired" | "CredentialsInvalid" | "ReleaseNotAllowed";
        /** WebhookBody */
        WebhookBody: {
            description?: string | null;
            /** @default true */
            enabled: boolean;
            eventTypes: components["schemas"]["WebhookEventType"][];
            institutionId?: string | null;
            url: string;
        };
        /** WebhookChange */
        WebhookChange: {
            description?: string | null;
            enabled?: boolean;
            eventTypes?: components["schemas"]["WebhookEventType"][];
            url?: string;
        };
        /**
         * WebhookEventType
         * @description A kind of event, a family of kinds such as `license.*`, or `*`.
         * @enum {string}
         */
        WebhookEventType: "*" | "access_attempt.*" | "access_attempt.detected" | "activation.*" | "activation.approved" | "activation.blocked" | "activation.created" | "activation.deleted" | "activation.limit_reached" | "activation.pending" | "activation.unblocked" | "license.*" | "license.converted" | "license.created" | "license.deleted" | "license.expired" | "license.expiring" | "license.reinstated" | "license.renewed" | "license.revoked" | "license.suspended" | "license.updated" | "member.*" | "member.invited" | "member.joined" | "member.removed" | "meter.*" | "meter.adjusted" | "meter.depleted" | "meter.granted" | "meter.low_balance" | "product.*" | "product.keys_rotated" | "release.*" | "release.published" | "session.*" | "session.ended" | "session.limit_reached" | "session.started" | "webhook.*" | "webhook.test";
        /** Listing[WebhookView] */
        WebhookList: {
            items: components["schemas"]["WebhookView"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /** WebhookView */
        WebhookView: {
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            disabledAt: string | null;
            disabledReason: components["schemas"]["DisabledReason"] | null;
            enabled: boolean;
            eventTypes: components["schemas"]["WebhookEventType"][];
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            institutionId: string;
            lastDeliveryAt: string | null;
            lastStatus: components["schemas"]["DeliveryStatus"] | null;
            /** Format: date-time */
            updatedAt: string;
            url: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description How much the limit at hand allows in its period. */
        "RateLimit-Limit": number;
        /** @description How much of it is left. */
        "RateLimit-Remaining": number;
        /** @description Seconds until the period ends. */
        "RateLimit-Reset": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    activate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ActivateBody"];
            };
        };
        responses: {
            /** @description The device is activated already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivateAnswer"];
                };
            };
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivateAnswer"];
                };
            };
            /** @description The device is pending approval. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivateAnswer"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    approveActivation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                activationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivationView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    blockActivation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                activationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivationView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deactivateActivation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                activationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivationView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unblockActivation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                activationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivationView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    releaseActivation: {
        parameters: {
            query?: {
                /** @description For clients without a body. */
                hardwareId?: string | null;
                /** @description For clients without a body. */
                licenseKey?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeactivateBody"] | null;
            };
        };
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                institutionId?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyBody"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKeyView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKeyView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptanceBody"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSessionView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenBody"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationPreviewView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginBody"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSessionView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": null;
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileChange"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetRequest"];
            };
        };
        responses: {
            /** @description Request accepted, processing continues off-line */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetBody"];
            };
        };
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSessionView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterBody"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSessionView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSignIns: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endAllSignIns: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                signInId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetupBody"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSessionView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    offerSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferedFactorView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    disableSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorProof"];
            };
        };
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OtpBody"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorProof"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenBody"];
            };
        };
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resendVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request accepted, processing continues off-line */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    downloadByToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeEntitlementSet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                setId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntitlementSetChange"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntitlementSetView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteEntitlementSet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                setId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeFeature: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                featureId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeatureChange"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeatureView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteFeature: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                featureId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listInstitutions: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                search?: string | null;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstitutionList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createInstitution: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstitutionBody"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstitutionView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showInstitution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                institutionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstitutionView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeInstitution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                institutionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstitutionChange"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstitutionView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteInstitution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                institutionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showAuditLog: {
        parameters: {
            query?: {
                actorId?: string | null;
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                from?: string | null;
                /** @description For example license.revoked, or license.* */
                kind?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
                subjectId?: string | null;
                to?: string | null;
            };
            header?: never;
            path: {
                institutionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path: {
                institutionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                institutionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationBody"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                institutionId: string;
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                institutionId: string;
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                role?: components["schemas"]["Role"] | null;
                /** @description The beginning of the name or address. */
                search?: string | null;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path: {
                institutionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                institutionId: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberChange"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                institutionId: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showInstitutionOverview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                institutionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstitutionOverview"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                institutionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanBody"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstitutionView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                institutionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstitutionSettingsView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                institutionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstitutionSettingsChange"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstitutionSettingsView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLicenses: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                expiringBefore?: string | null;
                institutionId?: string | null;
                issuedTo?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                productId?: string | null;
                /** @description Prefixes of words of name, receiver or issuer, or a prefix of the key. */
                search?: string | null;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
                status?: components["schemas"]["LicenseStatus"] | null;
                type?: components["schemas"]["LicenseType"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    issueLicense: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssueBody"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showLicense: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeLicense: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LicenseChange"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteLicense: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAttempts: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessAttemptList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acknowledgeAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                attemptId: string;
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessAttemptView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listActivations: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
                status?: components["schemas"]["ActivationStatus"] | null;
            };
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivationList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    convertLicense: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConvertBody"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEventsOfLicense: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseEventList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    explain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExplainBody"] | null;
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    downloadFile: {
        parameters: {
            query?: {
                hardwareId?: string | null;
                protected?: boolean;
            };
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLedger: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerEntryList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeMeterSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MeterSettingsChange"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reinstateLicense: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeLicense: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReasonBody"] | null;
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
                /** @description Whether a session is live. */
                status?: components["schemas"]["SessionStatus"];
            };
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeatSessionList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    suspendLicense: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReasonBody"] | null;
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refreshFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshBody"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshAnswer"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    validate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateBody"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidateAnswer"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMails: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    adjustBalance: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdjustBody"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceChangeAnswer"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showOwnBalance: {
        parameters: {
            query: {
                licenseKey: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceAnswer"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showBalance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceAnswer"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    consume: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsumeBody"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsumeAnswer"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPrices: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path: {
                featureId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeaturePriceList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setPrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                featureId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeaturePriceBody"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeaturePriceView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    grantBalance: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrantBody"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceChangeAnswer"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reconcile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReconcileBody"] | null;
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconcileAnswer"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
                /** @description true for unread notifications only, false for read ones only. */
                unread?: boolean | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readNotification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreferencesView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changePreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreferencesChange"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreferencesView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readAllNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnreadView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    followNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    countUnread: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnreadView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    requestPortalAccess: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccessRequest"];
            };
        };
        responses: {
            /** @description Request accepted, processing continues off-line */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    openPortalAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmAccessBody"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSessionView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOwnLicenses: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalLicenseList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showOwnLicense: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalLicenseView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOwnActivations: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
                status?: components["schemas"]["ActivationStatus"] | null;
            };
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalActivationList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    freeOwnActivation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                activationId: string;
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showOwnWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceAnswer"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOwnDownloads: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalDownloadList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    downloadOwnFile: {
        parameters: {
            query?: {
                hardwareId?: string | null;
                protected?: boolean;
            };
            header?: never;
            path: {
                licenseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProducts: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                institutionId?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description Part of the name, case-insensitive. */
                search?: string | null;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createProduct: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductBody"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductChange"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialsView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateProductKeyBody"] | null;
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialsView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEntitlementSets: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntitlementSetList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createEntitlementSet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntitlementSetBody"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntitlementSetView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listFeatures: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeatureList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createFeature: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeatureBody"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeatureView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showProductImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setProductImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/jpeg": string;
                "image/png": string;
                "image/webp": string;
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteProductImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    generateKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateSigningKeyBody"] | null;
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningKeyView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showPublicKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicKeyView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    downloadPublicKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showKeysStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningKeyStatusView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listReleases: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleaseList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createRelease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReleaseBody"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleaseView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTelemetry: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description Received at this time or later. */
                from?: string | null;
                name?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
                /** @description Received before this time. */
                to?: string | null;
            };
            header?: never;
            path: {
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TelemetryEventList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showRelease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                releaseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleaseView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeRelease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                releaseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReleaseChange"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleaseView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteRelease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                releaseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listReleaseFiles: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path: {
                releaseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleaseFileList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addReleaseFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                releaseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                    /** @description For example windows-x64; by default for all platforms. */
                    platform?: string;
                    /** @description Checked against the uploaded file. */
                    sha256?: string;
                };
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleaseFileView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteReleaseFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fileId: string;
                releaseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    downloadReleaseFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fileId: string;
                releaseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deriveKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeriveKeyBody"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DerivedKey"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forceDisconnect: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeatSessionView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectBody"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectAnswer"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    disconnect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionBody"];
            };
        };
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    heartbeat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionBody"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeartbeatAnswer"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showActivationStatistics: {
        parameters: {
            query?: {
                /** @description A day or a time; by default 30 days before the end. */
                from?: string | null;
                institutionId?: string | null;
                productId?: string | null;
                /** @description A day, included, or a time; by default today. */
                to?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivationStatistics"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showAttention: {
        parameters: {
            query?: {
                institutionId?: string | null;
                productId?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attention"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showLicenseStatistics: {
        parameters: {
            query?: {
                /** @description A day or a time; by default 30 days before the end. */
                from?: string | null;
                institutionId?: string | null;
                productId?: string | null;
                /** @description A day, included, or a time; by default today. */
                to?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicenseStatistics"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showMeterUsage: {
        parameters: {
            query?: {
                /** @description A day or a time; by default 30 days before the end. */
                from?: string | null;
                institutionId?: string | null;
                licenseId?: string | null;
                productId?: string | null;
                /** @description A day, included, or a time; by default today. */
                to?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeterStatistics"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showOverview: {
        parameters: {
            query?: {
                /** @description A day or a time; by default 30 days before the end. */
                from?: string | null;
                institutionId?: string | null;
                productId?: string | null;
                /** @description A day, included, or a time; by default today. */
                to?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showSessionStatistics: {
        parameters: {
            query?: {
                /** @description A day or a time; by default 30 days before the end. */
                from?: string | null;
                institutionId?: string | null;
                productId?: string | null;
                /** @description A day, included, or a time; by default today. */
                to?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionStatistics"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showTelemetryStatistics: {
        parameters: {
            query?: {
                /** @description A day or a time; by default 30 days before the end. */
                from?: string | null;
                institutionId?: string | null;
                productId?: string | null;
                /** @description A day, included, or a time; by default today. */
                to?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TelemetryStatistics"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendTelemetry: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TelemetryBody"];
            };
        };
        responses: {
            /** @description Request accepted, processing continues off-line */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TelemetryAnswer"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showLatest: {
        parameters: {
            query?: {
                /** @description Stable. */
                channel?: string | null;
                currentVersion?: string | null;
                licenseKey?: string | null;
                /** @description Without it, the files for all platforms are listed. */
                platform?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateAnswer"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                search?: string | null;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    markEmailVerified: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request accepted, processing continues off-line */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                institutionId?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBody"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedWebhookView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, nothing follows */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Pages in creation order: empty for the first, then `nextAfter`. */
                after?: string | null;
                /** @description The page number, from 1. */
                page?: number;
                pageSize?: number;
                /** @description The field to sort by; prefix it with - for descending. */
                sort?: string | null;
                status?: components["schemas"]["DeliveryStatus"] | null;
            };
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedWebhookView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Request accepted, processing continues off-line */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryView"];
                };
            };
            /** @description A refusal, with its code. */
            default: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
