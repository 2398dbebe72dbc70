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
         * Remove a device: its sessions end, and its seat is free
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
         * Deactivate this device, given in the body or in the query; its seat is free
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
         * @description Requires the role Admin or higher in the institution. A signed-in user needs a step-up.
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
         * @description Requires the role Admin or higher in the institution. A signed-in user needs a step-up.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/associations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the products of other vendors that the caller's institutions are associated with
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["listReceivedAssociations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/associations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Associate an institution of the caller with the product that it is invited to
         * @description Requires the role Owner or higher in the institution.
         */
        post: operations["acceptAssociation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/associations/preview": {
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
        post: operations["previewAssociation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what concerns the instance: what system Admins and the console did, and deletions
         * @description Requires a system Admin.
         */
        get: operations["showInstanceAuditLog"];
        put?: never;
        post?: never;
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
    "/api/auth/password-reset/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The API keys of the account that a token is for, which a new password does not end
         * @description Open to everybody.
         */
        post: operations["previewPasswordReset"];
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
    "/api/auth/step-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prove that it is the user, for what is hard to undo; it counts for 15 minutes
         * @description Any signed-in operator.
         */
        post: operations["stepUp"];
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
         * @description Any signed-in operator. A signed-in user needs a step-up.
         */
        post: operations["offerSecondFactor"];
        /**
         * Turn the second factor off
         * @description Any signed-in operator. A signed-in user needs a step-up.
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
         * @description Any signed-in operator. A signed-in user needs a step-up.
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
         * Replace the recovery codes; the old ones stop working
         * @description Any signed-in operator. A signed-in user needs a step-up.
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
         * @description Requires the role Owner or higher in the institution. A signed-in user needs a step-up.
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
         * @description Requires the role Admin or higher in the institution. A signed-in user needs a step-up to invite an Owner.
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
         * @description Requires the role Admin or higher in the institution. A signed-in user needs a step-up to invite an Owner.
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
         * @description Requires the role Admin or higher in the institution. A signed-in user needs a step-up to make somebody an Owner.
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
         * List the devices of a license; `seatFreeAt` is set for those that were released
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Activations.Read.
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
         * Convert a trial into a paid license of any model, with the same key
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Licenses.Write.
         */
        post: operations["convertLicense"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/licenses/{licenseId}/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the devices, live sessions and access attempts of a license
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Activations.Read.
         */
        get: operations["showLicenseCounts"];
        put?: never;
        post?: never;
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
         * List the events of a license and its wallet, newest first
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
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Meter.Read.
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
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Meter.Write.
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
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Activations.Read.
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
    "/api/licenses/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend, reinstate, revoke or extend up to 1,000 licenses, in one transaction
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Licenses.Write.
         */
        post: operations["changeLicenses"];
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
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Meter.Write.
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
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Meter.Read. Also for the end user whose license it is.
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
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Meter.Read.
         */
        get: operations["listPrices"];
        /**
         * Set the price of one use of a feature for Credit-Based licenses, from now on
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Meter.Write.
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
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Meter.Write.
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
         * Check wallets against their ledgers, and find metered licenses whose wallet is lost
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Meter.Write.
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
         * Remove a device that is lost or broken: its sessions end, and its seat is free
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
         * Change a product; it can become Opened once its associations are removed
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Products.Write.
         */
        put: operations["changeProduct"];
        post?: never;
        /**
         * Delete a product without licenses, and everything in it, permanently
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Products.Write. A signed-in user needs a step-up.
         */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}/associations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the institutions associated with a product, or invited to be
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Products.Read.
         */
        get: operations["listAssociations"];
        put?: never;
        /**
         * Invite an institution to be associated with an Associated product
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Products.Write.
         */
        post: operations["inviteInstitution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}/associations/{associationId}": {
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
         * Withdraw an invitation, or end an association
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Products.Write.
         */
        delete: operations["removeAssociation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}/associations/{associationId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * E-mail a pending or expired invitation again, for seven days; earlier links stop working
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Products.Write.
         */
        post: operations["resendAssociation"];
        delete?: never;
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
         * @description Requires the role Admin or higher in the institution. A signed-in user needs a step-up.
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
         * @description Requires the role Admin or higher in the institution. A signed-in user needs a step-up.
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
         * @description Requires the role Admin or higher in the institution. A signed-in user needs a step-up.
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
    "/api/received-licenses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the licenses that vendors issued to the caller's institutions
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["listReceived"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/received-licenses/{licenseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a received license with its current status
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["showReceived"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/received-licenses/{licenseId}/activations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the devices of a received license
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["listReceivedActivations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/received-licenses/{licenseId}/activations/{activationId}": {
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
         * Remove a device of a received license: its sessions end, and its seat is free
         * @description Requires the role Admin or higher in the institution.
         */
        delete: operations["freeReceivedActivation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/received-licenses/{licenseId}/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the balance of a received metered license
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["showReceivedWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/received-licenses/{licenseId}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download license.bin: plain or protected, for one machine if a hardware ID is given
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["downloadReceivedFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/received-licenses/{licenseId}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the live sessions of a received license, or with `status=Ended` the past ones
         * @description Requires the role Viewer or higher in the institution.
         */
        get: operations["listReceivedSessions"];
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
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Statistics.Read.
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
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Statistics.Read.
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
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Statistics.Read.
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
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Meter.Read or Statistics.Read.
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
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Statistics.Read.
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
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Statistics.Read.
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
         * @description Requires the role Viewer or higher in the institution, or an API key with the scope Statistics.Read.
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
    "/api/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Disable a user's account, or enable it again; not your own
         * @description Requires a system Admin.
         */
        put: operations["changeAccount"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/sessions": {
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
         * Sign a user out everywhere, effective immediately; they are told by e-mail
         * @description Requires a system Admin.
         */
        delete: operations["endSessionsOfUser"];
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
         * @description Requires a system Admin. A signed-in user needs a step-up.
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
    "/api/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the release of this service, its day, and where its notes are
         * @description Open to everybody.
         */
        get: operations["showVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/version/upgrade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the newer release that the feed in `LICET_UPDATE_FEED_URL` named at the last check
         * @description Requires a system Admin.
         */
        get: operations["showUpgrade"];
        put?: never;
        post?: never;
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
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Webhooks.Write.
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
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Webhooks.Read.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook. The secret that signs events is in this response only
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Webhooks.Write.
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
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Webhooks.Read.
         */
        get: operations["showWebhook"];
        /**
         * Change a webhook. Disabling it fails pending deliveries; enabling it resets its failures
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Webhooks.Write.
         */
        put: operations["changeWebhook"];
        post?: never;
        /**
         * Delete a webhook with its deliveries
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Webhooks.Write.
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
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Webhooks.Read.
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
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Webhooks.Write.
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
         * @description Requires the role Admin or higher in the institution, or an API key with the scope Webhooks.Write.
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
        /**
         * @example {
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "token": "eyJhbGciOiJSUzI1NiIsInR5cCI6InZlcmRpY3Qrand0In0.eyJ2YWxpZCI6dHJ1ZX0.c2ln"
         *     }
         */
        AcceptAssociationRequest: {
            institutionId?: string | null;
            token: string;
        };
        /**
         * @example {
         *       "fullName": "Ada Example",
         *       "password": "correct horse battery",
         *       "token": "eyJhbGciOiJSUzI1NiIsInR5cCI6InZlcmRpY3Qrand0In0.eyJ2YWxpZCI6dHJ1ZX0.c2ln"
         *     }
         */
        AcceptInvitationRequest: {
            fullName?: string | null;
            password?: string | null;
            token: string;
        };
        /**
         * @example {
         *       "attemptCount": 1,
         *       "attemptedHardwareId": "8c1f0a77e2b94d55",
         *       "boundHardwareId": "4b7e92d16a0c38f1",
         *       "entryPoint": "Validate",
         *       "firstSeenAt": "2026-11-22T09:30:00Z",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "ipAddress": "203.0.113.9",
         *       "lastSeenAt": "2026-11-22T09:30:00Z",
         *       "reviewed": true,
         *       "reviewedAt": "2026-11-22T09:30:00Z"
         *     }
         */
        AccessAttempt: {
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
        /**
         * @example {
         *       "items": [
         *         {
         *           "attemptCount": 1,
         *           "attemptedHardwareId": "8c1f0a77e2b94d55",
         *           "boundHardwareId": "4b7e92d16a0c38f1",
         *           "entryPoint": "Validate",
         *           "firstSeenAt": "2026-11-22T09:30:00Z",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "ipAddress": "203.0.113.9",
         *           "lastSeenAt": "2026-11-22T09:30:00Z",
         *           "reviewed": true,
         *           "reviewedAt": "2026-11-22T09:30:00Z"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        AccessAttemptList: {
            items: components["schemas"]["AccessAttempt"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @description Who may hold licenses: anyone, or named institutions.
         * @default Opened
         * @example Opened
         * @enum {string}
         */
        AccessType: "Opened" | "Associated";
        /**
         * @example {
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "disabled": true,
         *       "email": "customer@example.com",
         *       "emailVerified": true,
         *       "fullName": "Ada Example",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "isSystemAdmin": true,
         *       "memberships": [
         *         {
         *           "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "institutionName": "Example Software",
         *           "role": "Owner"
         *         }
         *       ],
         *       "totpEnabled": true
         *     }
         */
        Account: {
            /** Format: date-time */
            createdAt: string;
            disabled: boolean;
            email: string;
            emailVerified: boolean;
            fullName: string;
            /** Format: uuid */
            id: string;
            isSystemAdmin: boolean;
            memberships: components["schemas"]["Membership"][];
            totpEnabled: boolean;
        };
        /**
         * @example {
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "institutionName": "Example Software",
         *       "lastUsedAt": "2026-11-22T09:30:00Z",
         *       "name": "Aurora"
         *     }
         */
        AccountApiKey: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            institutionId: string;
            institutionName: string;
            lastUsedAt: string | null;
            name: string;
        };
        /**
         * @example {
         *       "disabled": true
         *     }
         */
        AccountChange: {
            disabled?: boolean;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "disabled": true,
         *           "email": "customer@example.com",
         *           "emailVerified": true,
         *           "fullName": "Ada Example",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "isSystemAdmin": true,
         *           "memberships": [
         *             {
         *               "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *               "institutionName": "Example Software",
         *               "role": "Owner"
         *             }
         *           ],
         *           "totpEnabled": true
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        AccountList: {
            items: components["schemas"]["Account"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "appVersion": "2.4.1",
         *       "deviceName": "Workstation 7",
         *       "hardwareId": "8c1f0a77e2b94d55",
         *       "licenseKey": "7Q2KD-M4XWB-9TC0Z-H3RVN-5EJ8A",
         *       "metadata": {
         *         "crmId": "4711"
         *       },
         *       "os": "Debian 12",
         *       "password": "correct horse battery",
         *       "username": "studio"
         *     }
         */
        ActivateRequest: {
            appVersion?: string | null;
            deviceName?: string | null;
            hardwareId: string;
            licenseKey: string;
            metadata?: {
                [key: string]: string;
            } | null;
            os?: string | null;
            password?: string | null;
            username?: string | null;
        };
        /**
         * @example {
         *       "activatedAt": "2026-11-22T09:30:00Z",
         *       "activationId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "seatsTotal": 5,
         *       "seatsUsed": 3,
         *       "status": "Active"
         *     }
         */
        ActivateResponse: {
            activatedAt: string | null;
            /** Format: uuid */
            activationId: string;
            seatsTotal: number | null;
            seatsUsed: number;
            status: components["schemas"]["ActivationStatus"];
        };
        /**
         * @example {
         *       "appVersion": "2.4.1",
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "deviceName": "Workstation 7",
         *       "fileEndsAt": "2026-11-22T09:30:00Z",
         *       "hardwareId": "8c1f0a77e2b94d55",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "lastSeenAt": "2026-11-22T09:30:00Z",
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "metadata": {
         *         "crmId": "4711"
         *       },
         *       "os": "Debian 12",
         *       "releasedAt": "2026-11-22T09:30:00Z",
         *       "seatFreeAt": "2026-11-22T09:30:00Z",
         *       "status": "Active"
         *     }
         */
        Activation: {
            appVersion: string | null;
            /** Format: date-time */
            createdAt: string;
            deviceName: string | null;
            fileEndsAt: string | null;
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
            releasedAt: string | null;
            seatFreeAt: string | null;
            status: components["schemas"]["ActivationStatus"];
        };
        /**
         * @example {
         *       "accessAttempts": 1,
         *       "blocked": 1,
         *       "created": 1,
         *       "date": "2026-11-22",
         *       "removed": 1
         *     }
         */
        ActivationDay: {
            accessAttempts: number;
            blocked: number;
            created: number;
            /** Format: date */
            date: string;
            removed: number;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "appVersion": "2.4.1",
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "deviceName": "Workstation 7",
         *           "fileEndsAt": "2026-11-22T09:30:00Z",
         *           "hardwareId": "8c1f0a77e2b94d55",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "lastSeenAt": "2026-11-22T09:30:00Z",
         *           "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "metadata": {
         *             "crmId": "4711"
         *           },
         *           "os": "Debian 12",
         *           "releasedAt": "2026-11-22T09:30:00Z",
         *           "seatFreeAt": "2026-11-22T09:30:00Z",
         *           "status": "Active"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        ActivationList: {
            items: components["schemas"]["Activation"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @description Whether license.bin alone is enough (Offline) or the server must be asked (Online).
         * @default Online
         * @example Online
         * @enum {string}
         */
        ActivationMode: "Online" | "Offline";
        /**
         * @example {
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "status": "Active"
         *     }
         */
        ActivationState: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["ActivationStatus"];
        };
        /**
         * @example {
         *       "accessAttempts": 1,
         *       "active": 1,
         *       "blocked": 1,
         *       "created": 1,
         *       "dailyTrend": [
         *         {
         *           "accessAttempts": 1,
         *           "blocked": 1,
         *           "created": 1,
         *           "date": "2026-11-22",
         *           "removed": 1
         *         }
         *       ],
         *       "from": "2026-11-22T09:30:00Z",
         *       "limitReached": 1,
         *       "pending": 1,
         *       "removed": 1,
         *       "to": "2026-11-22T09:30:00Z",
         *       "topLicenses": [
         *         {
         *           "count": 1,
         *           "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "licenseName": "Studio Berlin",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "seatsTotal": 5,
         *           "type": "Concurrent"
         *         }
         *       ],
         *       "total": 1,
         *       "unreviewedAccessAttempts": 1
         *     }
         */
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
         * @description The status of an activation; a blocked device keeps its seat.
         * @example Active
         * @enum {string}
         */
        ActivationStatus: "Active" | "Pending" | "Blocked";
        /**
         * @example {
         *       "actorKind": "User",
         *       "actorName": "owner@example.com",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "licenseName": "Studio Berlin",
         *       "occurredAt": "2026-11-22T09:30:00Z",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "subjectId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "subjectName": "Studio Berlin",
         *       "type": "Concurrent"
         *     }
         */
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
        /**
         * @example {
         *       "amount": 500,
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "reason": "Invoice paid"
         *     }
         */
        AdjustBalanceRequest: {
            amount: number;
            /** Format: uuid */
            licenseId: string;
            reason: string;
        };
        /**
         * @example {
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "description": "Used by the nightly build.",
         *       "expirationDate": "2026-11-22T09:30:00Z",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "ipAllowList": [
         *         "203.0.113.0/24"
         *       ],
         *       "lastUsedAt": "2026-11-22T09:30:00Z",
         *       "name": "Aurora",
         *       "revokedAt": "2026-11-22T09:30:00Z",
         *       "scopes": [
         *         "Licenses.Read"
         *       ]
         *     }
         */
        ApiKey: {
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
        /**
         * @example {
         *       "items": [
         *         {
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "description": "Used by the nightly build.",
         *           "expirationDate": "2026-11-22T09:30:00Z",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "ipAllowList": [
         *             "203.0.113.0/24"
         *           ],
         *           "lastUsedAt": "2026-11-22T09:30:00Z",
         *           "name": "Aurora",
         *           "revokedAt": "2026-11-22T09:30:00Z",
         *           "scopes": [
         *             "Licenses.Read"
         *           ]
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        ApiKeyList: {
            items: components["schemas"]["ApiKey"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "description": "Used by the nightly build.",
         *       "expirationDate": "2026-11-22T09:30:00Z",
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "ipAllowList": [
         *         "203.0.113.0/24"
         *       ],
         *       "name": "Aurora",
         *       "scopes": [
         *         "Licenses.Read"
         *       ]
         *     }
         */
        ApiKeyRequest: {
            description?: string | null;
            expirationDate?: string | null;
            institutionId?: string | null;
            ipAllowList?: string[] | null;
            name: string;
            scopes: components["schemas"]["Scope"][];
        };
        /**
         * @example {
         *       "acceptedAt": "2026-11-22T09:30:00Z",
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "email": "customer@example.com",
         *       "expiresAt": "2026-11-22T09:30:00Z",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "institutionName": "Example Software",
         *       "inviteUrl": "https://licenses.example.com/accept-association?token=inv_8Wd4",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "status": "Invited"
         *     }
         */
        Association: {
            acceptedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            email: string | null;
            expiresAt: string | null;
            /** Format: uuid */
            id: string;
            institutionId: string | null;
            institutionName: string | null;
            inviteUrl: string | null;
            /** Format: uuid */
            productId: string;
            status: components["schemas"]["AssociationStatus"];
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "acceptedAt": "2026-11-22T09:30:00Z",
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "email": "customer@example.com",
         *           "expiresAt": "2026-11-22T09:30:00Z",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "institutionName": "Example Software",
         *           "inviteUrl": "https://licenses.example.com/accept-association?token=inv_8Wd4",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "status": "Invited"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        AssociationList: {
            items: components["schemas"]["Association"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "expiresAt": "2026-11-22T09:30:00Z",
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "productName": "Aurora",
         *       "vendorName": "Example Software"
         *     }
         */
        AssociationPreview: {
            /** Format: date-time */
            expiresAt: string;
            institutionId: string | null;
            productName: string;
            vendorName: string;
        };
        /**
         * @example {
         *       "email": "customer@example.com",
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *     }
         */
        AssociationRequest: {
            email?: string | null;
            institutionId?: string | null;
        };
        /**
         * @description The status of an association; licenses can be issued to an Associated institution only.
         * @example Invited
         * @enum {string}
         */
        AssociationStatus: "Invited" | "Associated";
        /**
         * @example {
         *       "attempts": 1,
         *       "lastSeenAt": "2026-11-22T09:30:00Z",
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "licenseName": "Studio Berlin",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "productName": "Aurora"
         *     }
         */
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
        /**
         * @example {
         *       "count": 1,
         *       "items": [
         *         {
         *           "attempts": 1,
         *           "lastSeenAt": "2026-11-22T09:30:00Z",
         *           "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "licenseName": "Studio Berlin",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "productName": "Aurora"
         *         }
         *       ]
         *     }
         */
        AttemptedLicenses: {
            count: number;
            items: components["schemas"]["AttemptedLicense"][];
        };
        /**
         * @example {
         *       "accessAttempts": {
         *         "count": 1,
         *         "items": [
         *           {
         *             "attempts": 1,
         *             "lastSeenAt": "2026-11-22T09:30:00Z",
         *             "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *             "licenseName": "Studio Berlin",
         *             "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *             "productName": "Aurora"
         *           }
         *         ]
         *       },
         *       "expiringLicenses": {
         *         "count": 1,
         *         "items": [
         *           {
         *             "expirationDate": "2026-11-22T09:30:00Z",
         *             "issuedTo": "customer@example.com",
         *             "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *             "licenseName": "Studio Berlin",
         *             "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *             "productName": "Aurora",
         *             "type": "Concurrent"
         *           }
         *         ]
         *       },
         *       "lowBalances": {
         *         "count": 1,
         *         "items": [
         *           {
         *             "balance": 1250.5,
         *             "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *             "licenseName": "Studio Berlin",
         *             "lowBalanceThreshold": 100,
         *             "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *             "productName": "Aurora"
         *           }
         *         ]
         *       },
         *       "pendingActivations": {
         *         "count": 1,
         *         "items": [
         *           {
         *             "activationId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *             "createdAt": "2026-11-22T09:30:00Z",
         *             "deviceName": "Workstation 7",
         *             "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *             "licenseName": "Studio Berlin",
         *             "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *             "productName": "Aurora"
         *           }
         *         ]
         *       }
         *     }
         */
        Attention: {
            accessAttempts: components["schemas"]["AttemptedLicenses"] | null;
            expiringLicenses: components["schemas"]["ExpiringLicenses"];
            lowBalances: components["schemas"]["LowLicenses"];
            pendingActivations: components["schemas"]["PendingDevices"];
        };
        /**
         * @example {
         *       "actorId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "actorKind": "User",
         *       "actorName": "owner@example.com",
         *       "changes": {
         *         "licenseName": [
         *           "Studio",
         *           "Studio Berlin"
         *         ]
         *       },
         *       "data": {
         *         "licenseName": "Studio Berlin",
         *         "status": "Active"
         *       },
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "ipAddress": "203.0.113.9",
         *       "kind": "access_attempt.detected",
         *       "occurredAt": "2026-11-22T09:30:00Z",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "requestId": "text",
         *       "sealNumber": 1,
         *       "subjectId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *     }
         */
        AuditEntry: {
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
        /**
         * @example {
         *       "items": [
         *         {
         *           "actorId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "actorKind": "User",
         *           "actorName": "owner@example.com",
         *           "changes": {
         *             "licenseName": [
         *               "Studio",
         *               "Studio Berlin"
         *             ]
         *           },
         *           "data": {
         *             "licenseName": "Studio Berlin",
         *             "status": "Active"
         *           },
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "ipAddress": "203.0.113.9",
         *           "kind": "access_attempt.detected",
         *           "occurredAt": "2026-11-22T09:30:00Z",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "requestId": "text",
         *           "sealNumber": 1,
         *           "subjectId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        AuditEntryList: {
            items: components["schemas"]["AuditEntry"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "balance": 1250.5,
         *       "ledgerEntryId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *     }
         */
        BalanceChangeResponse: {
            balance: number;
            /** Format: uuid */
            ledgerEntryId: string;
            /** Format: uuid */
            licenseId: string;
        };
        /**
         * @example {
         *       "balance": 1250.5,
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "mode": "Count"
         *     }
         */
        BalanceResponse: {
            balance: number;
            /** Format: uuid */
            licenseId: string;
            mode: components["schemas"]["MeterMode"];
        };
        /**
         * @description What can be done with many licenses at once.
         * @example suspend
         * @enum {string}
         */
        BulkAction: "suspend" | "reinstate" | "revoke" | "extend";
        /**
         * @example {
         *       "expiringBefore": "2026-11-22T09:30:00Z",
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "issuedTo": "customer@example.com",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "search": "text",
         *       "status": "Active",
         *       "type": "Concurrent"
         *     }
         */
        BulkLicensesFilter: {
            expiringBefore?: string | null;
            institutionId?: string | null;
            issuedTo?: string | null;
            productId?: string | null;
            search?: string | null;
            status?: components["schemas"]["LicenseStatus"] | null;
            type?: components["schemas"]["LicenseType"] | null;
        };
        /**
         * @example {
         *       "action": "suspend",
         *       "days": 1,
         *       "expirationDate": "2026-11-22T09:30:00Z",
         *       "filter": {
         *         "expiringBefore": "2026-11-22T09:30:00Z",
         *         "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *         "issuedTo": "customer@example.com",
         *         "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *         "search": "text",
         *         "status": "Active",
         *         "type": "Concurrent"
         *       },
         *       "ids": [
         *         "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *       ],
         *       "reason": "Invoice paid"
         *     }
         */
        BulkLicensesRequest: {
            action: components["schemas"]["BulkAction"];
            days?: number | null;
            expirationDate?: string | null;
            filter?: components["schemas"]["BulkLicensesFilter"] | null;
            ids?: string[] | null;
            reason?: string | null;
        };
        /**
         * @example {
         *       "done": 1,
         *       "refused": [
         *         {
         *           "detail": "The license is active.",
         *           "errorCode": "ActivationNotFound",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *         }
         *       ]
         *     }
         */
        BulkLicensesResponse: {
            done: number;
            refused: components["schemas"]["BulkRefusal"][];
        };
        /**
         * @example {
         *       "detail": "The license is active.",
         *       "errorCode": "ActivationNotFound",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *     }
         */
        BulkRefusal: {
            detail: string;
            errorCode: components["schemas"]["ErrorCode"];
            /** Format: uuid */
            id: string;
        };
        /**
         * @example {
         *       "email": true,
         *       "inApp": true
         *     }
         */
        Channels: {
            email: boolean;
            inApp: boolean;
        };
        /**
         * @example {
         *       "email": true,
         *       "inApp": true
         *     }
         */
        ChannelsChange: {
            email?: boolean;
            inApp?: boolean;
        };
        /**
         * @example {
         *       "fullName": "Ada Example",
         *       "password": "correct horse battery",
         *       "token": "eyJhbGciOiJSUzI1NiIsInR5cCI6InZlcmRpY3Qrand0In0.eyJ2YWxpZCI6dHJ1ZX0.c2ln"
         *     }
         */
        ConfirmAccessRequest: {
            fullName: string;
            password: string;
            token: string;
        };
        /**
         * @example {
         *       "appVersion": "2.4.1",
         *       "deviceName": "Workstation 7",
         *       "hardwareId": "8c1f0a77e2b94d55",
         *       "instanceId": "editor-1",
         *       "licenseKey": "7Q2KD-M4XWB-9TC0Z-H3RVN-5EJ8A",
         *       "password": "correct horse battery",
         *       "username": "studio"
         *     }
         */
        ConnectRequest: {
            appVersion?: string | null;
            deviceName?: string | null;
            hardwareId: string;
            instanceId?: string | null;
            licenseKey: string;
            password?: string | null;
            username?: string | null;
        };
        /**
         * @example {
         *       "expiresAt": "2026-11-22T09:30:00Z",
         *       "heartbeatIntervalSeconds": 30,
         *       "seatsTotal": 5,
         *       "seatsUsed": 3,
         *       "sessionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "sessionTimeoutSeconds": 90
         *     }
         */
        ConnectResponse: {
            /** Format: date-time */
            expiresAt: string;
            heartbeatIntervalSeconds: number;
            seatsTotal: number | null;
            seatsUsed: number;
            /** Format: uuid */
            sessionId: string;
            sessionTimeoutSeconds: number;
        };
        /**
         * @example {
         *       "activationId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "featureName": "export-pdf",
         *       "hardwareId": "8c1f0a77e2b94d55",
         *       "idempotencyKey": "render-frame-0001",
         *       "licenseKey": "7Q2KD-M4XWB-9TC0Z-H3RVN-5EJ8A",
         *       "password": "correct horse battery",
         *       "quantity": 3,
         *       "username": "studio"
         *     }
         */
        ConsumeRequest: {
            activationId?: string | null;
            featureName: string;
            hardwareId?: string | null;
            idempotencyKey?: string | null;
            licenseKey: string;
            password?: string | null;
            quantity?: number | null;
            username?: string | null;
        };
        /**
         * @example {
         *       "balance": 1250.5,
         *       "cost": 12.5,
         *       "featureName": "export-pdf",
         *       "ledgerEntryId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "quantity": 3,
         *       "replayed": true,
         *       "success": true
         *     }
         */
        ConsumeResponse: {
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
        /**
         * @example {
         *       "expirationDate": "2026-11-22T09:30:00Z",
         *       "initialMeterBalance": 1000,
         *       "maxActiveUsersCount": 5,
         *       "type": "Concurrent"
         *     }
         */
        ConvertLicenseRequest: {
            expirationDate?: string | null;
            initialMeterBalance?: number | null;
            maxActiveUsersCount?: number | null;
            type: components["schemas"]["LicenseType"] | number;
        };
        /**
         * @example {
         *       "apiKey": "pk_0197a3c25d4e7b1a_Hq2vWc81",
         *       "keys": [
         *         {
         *           "apiKey": "pk_0197a3c25d4e7b1a_Hq2vWc81",
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "expiresAt": "2026-11-22T09:30:00Z",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *         }
         *       ]
         *     }
         */
        Credentials: {
            apiKey: string | null;
            keys: components["schemas"]["ProductKey"][];
        };
        /**
         * @example {
         *       "force": true
         *     }
         */
        DeactivateDeviceRequest: {
            /** @default false */
            force: boolean;
        };
        /**
         * @example {
         *       "hardwareId": "8c1f0a77e2b94d55",
         *       "licenseKey": "7Q2KD-M4XWB-9TC0Z-H3RVN-5EJ8A",
         *       "password": "correct horse battery",
         *       "username": "studio"
         *     }
         */
        DeactivateRequest: {
            hardwareId: string;
            licenseKey: string;
            password?: string | null;
            username?: string | null;
        };
        /**
         * @example {
         *       "algorithm": "RS256",
         *       "derivedKey": "m5o2b0nXo1cN0aQm1T1m7nqj5v4p8wQe3c1lXJ0tHkE"
         *     }
         */
        DerivedKey: {
            algorithm: string;
            derivedKey: string;
        };
        /**
         * @example {
         *       "licenseKey": "7Q2KD-M4XWB-9TC0Z-H3RVN-5EJ8A",
         *       "salt": "c2FsdHNhbHRzYWx0c2FsdA"
         *     }
         */
        DeriveKeyRequest: {
            licenseKey: string;
            salt: string;
        };
        /**
         * @description How a node-locked license gets its machine.
         * @example AutoBind
         * @enum {string}
         */
        DeviceBindingMode: "AutoBind" | "OwnerApproval";
        /**
         * @description Why the service disabled a webhook.
         * @example Gone
         * @enum {string}
         */
        DisabledReason: "Gone" | "Failing";
        /**
         * @description Why a session ended.
         * @example Disconnected
         * @enum {string}
         */
        EndReason: "Disconnected" | "ForceDisconnected" | "TimedOut" | "Replaced" | "DeviceBlocked" | "Deactivated" | "LicenseRevoked" | "LicenseExpired" | "LicenseDeleted";
        /**
         * @example {
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "featureNames": [
         *         "export-pdf",
         *         "batch-render"
         *       ],
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "name": "Aurora",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "updatedAt": "2026-11-22T09:30:00Z"
         *     }
         */
        EntitlementSet: {
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
         * @example {
         *       "featureNames": [
         *         "export-pdf",
         *         "batch-render"
         *       ],
         *       "name": "Aurora"
         *     }
         */
        EntitlementSetChange: {
            featureNames?: string[];
            name?: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "featureNames": [
         *             "export-pdf",
         *             "batch-render"
         *           ],
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "name": "Aurora",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "updatedAt": "2026-11-22T09:30:00Z"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        EntitlementSetList: {
            items: components["schemas"]["EntitlementSet"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "featureNames": [
         *         "export-pdf",
         *         "batch-render"
         *       ],
         *       "name": "Aurora"
         *     }
         */
        EntitlementSetRequest: {
            featureNames: string[];
            name: string;
        };
        /**
         * @description The operation that an access attempt used.
         * @example Validate
         * @enum {string}
         */
        EntryPoint: "Validate" | "Activate" | "Connect" | "Refresh";
        /**
         * @description The stable error codes of the API; a code is never renamed.
         * @example ActivationNotFound
         * @enum {unknown}
         */
        ErrorCode: "ActivationNotFound" | "ActivationRequired" | "ConcurrencyConflict" | "Conflict" | "DeviceBlocked" | "FeatureNotEntitled" | "Forbidden" | "HardwareMismatch" | "IdempotencyKeyReused" | "InsufficientBalance" | "InternalError" | "InvalidCredentials" | "InvalidRequest" | "KeysNotGenerated" | "LicenseExpired" | "LicenseInvalid" | "LicenseNotFound" | "MaxActivationsReached" | "MaxConcurrentSessionsReached" | "MethodNotAllowed" | "NotFound" | "NotMeteredLicense" | "OtpRequired" | "PayloadTooLarge" | "PendingApproval" | "PlanLimitReached" | "PricingNotConfigured" | "RangeNotSatisfiable" | "RateLimited" | "SessionNotFound" | "StepUpRequired" | "Unauthorized" | "Unavailable" | "UnsupportedMediaType" | "WalletNotFound";
        /**
         * @description The kind of an event.
         * @example access_attempt.detected
         * @enum {string}
         */
        EventKind: "access_attempt.detected" | "activation.approved" | "activation.blocked" | "activation.created" | "activation.deleted" | "activation.limit_reached" | "activation.pending" | "activation.unblocked" | "api_key.created" | "api_key.revoked" | "api_key.rotated" | "association.accepted" | "association.invited" | "association.removed" | "association.resent" | "entitlement_set.created" | "entitlement_set.deleted" | "entitlement_set.updated" | "feature.created" | "feature.deleted" | "feature.priced" | "feature.updated" | "instance.master_key_rotated" | "institution.created" | "institution.deleted" | "institution.plan_changed" | "institution.settings_changed" | "institution.updated" | "invitation.resent" | "invitation.revoked" | "license.converted" | "license.created" | "license.deleted" | "license.events_omitted" | "license.expired" | "license.expiring" | "license.reinstated" | "license.renewed" | "license.revoked" | "license.suspended" | "license.updated" | "member.invited" | "member.joined" | "member.removed" | "member.updated" | "meter.adjusted" | "meter.depleted" | "meter.granted" | "meter.low_balance" | "meter.wallet_restored" | "product.created" | "product.deleted" | "product.key_revoked" | "product.key_rotated" | "product.keys_generated" | "product.keys_rotated" | "product.updated" | "release.created" | "release.deleted" | "release.published" | "release.updated" | "release_file.added" | "release_file.deleted" | "session.ended" | "session.limit_reached" | "session.started" | "user.all_sessions_ended" | "user.disabled" | "user.email_verified" | "user.enabled" | "user.password_changed" | "user.password_reset" | "user.recovery_code_used" | "user.recovery_codes_renewed" | "user.registered" | "user.session_ended" | "user.totp_disabled" | "user.totp_enabled" | "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.secret_rotated" | "webhook.test" | "webhook.updated";
        /**
         * @example {
         *       "expirationDate": "2026-11-22T09:30:00Z",
         *       "issuedTo": "customer@example.com",
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "licenseName": "Studio Berlin",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "productName": "Aurora",
         *       "type": "Concurrent"
         *     }
         */
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
        /**
         * @example {
         *       "count": 1,
         *       "items": [
         *         {
         *           "expirationDate": "2026-11-22T09:30:00Z",
         *           "issuedTo": "customer@example.com",
         *           "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "licenseName": "Studio Berlin",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "productName": "Aurora",
         *           "type": "Concurrent"
         *         }
         *       ]
         *     }
         */
        ExpiringLicenses: {
            count: number;
            items: components["schemas"]["ExpiringLicense"][];
        };
        /**
         * @example {
         *       "appVersion": "2.4.1",
         *       "hardwareId": "8c1f0a77e2b94d55"
         *     }
         */
        ExplainLicenseRequest: {
            appVersion?: string | null;
            hardwareId?: string | null;
        };
        /**
         * @example {
         *       "rules": [
         *         {
         *           "detail": "The license is active.",
         *           "passed": true,
         *           "rule": "NotRevoked"
         *         }
         *       ],
         *       "status": "Valid"
         *     }
         */
        Explanation: {
            rules: components["schemas"]["Rule"][];
            status: components["schemas"]["ValidationStatus"];
        };
        /**
         * @example {
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "description": "Used by the nightly build.",
         *       "displayName": "Export to PDF",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "name": "Aurora",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *     }
         */
        Feature: {
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
         * @example {
         *       "description": "Used by the nightly build.",
         *       "displayName": "Export to PDF",
         *       "name": "Aurora"
         *     }
         */
        FeatureChange: {
            description?: string | null;
            displayName?: string | null;
            name?: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "description": "Used by the nightly build.",
         *           "displayName": "Export to PDF",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "name": "Aurora",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        FeatureList: {
            items: components["schemas"]["Feature"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "active": true,
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "featureId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "tokenCost": 2.5
         *     }
         */
        FeaturePrice: {
            active: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            featureId: string;
            /** Format: uuid */
            id: string;
            tokenCost: number;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "active": true,
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "featureId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "tokenCost": 2.5
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        FeaturePriceList: {
            items: components["schemas"]["FeaturePrice"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "tokenCost": 2.5
         *     }
         */
        FeaturePriceRequest: {
            tokenCost: number;
        };
        /**
         * @example {
         *       "description": "Used by the nightly build.",
         *       "displayName": "Export to PDF",
         *       "name": "Aurora"
         *     }
         */
        FeatureRequest: {
            description?: string | null;
            displayName?: string | null;
            name: string;
        };
        /**
         * @description One bad field: its path in the request (`settings.ipAllowList[0]`) and the reason.
         * @example {
         *       "field": "maxActiveUsersCount",
         *       "message": "The license is valid."
         *     }
         */
        FieldError: {
            field: string;
            message: string;
        };
        /**
         * @example {
         *       "keySize": 3072
         *     }
         */
        GenerateSigningKeyRequest: {
            /**
             * @default 3072
             * @enum {integer}
             */
            keySize: 2048 | 3072 | 4096;
        };
        /**
         * @example {
         *       "amount": 500,
         *       "externalReference": "INV-2026-0042",
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "reason": "Invoice paid"
         *     }
         */
        GrantBalanceRequest: {
            amount: number;
            externalReference?: string | null;
            /** Format: uuid */
            licenseId: string;
            reason?: string | null;
        };
        /**
         * @example {
         *       "expiresAt": "2026-11-22T09:30:00Z",
         *       "heartbeatIntervalSeconds": 30,
         *       "sessionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *     }
         */
        HeartbeatResponse: {
            /** Format: date-time */
            expiresAt: string;
            heartbeatIntervalSeconds: number;
            /** Format: uuid */
            sessionId: string;
        };
        /**
         * @example {
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "limits": {
         *         "licenses": 1,
         *         "products": 1
         *       },
         *       "name": "Aurora",
         *       "plan": "Free"
         *     }
         */
        Institution: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            limits: components["schemas"]["PlanLimits"];
            name: string;
            plan: components["schemas"]["Plan"];
        };
        /**
         * @example {
         *       "name": "Aurora"
         *     }
         */
        InstitutionChange: {
            name?: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "limits": {
         *             "licenses": 1,
         *             "products": 1
         *           },
         *           "name": "Aurora",
         *           "plan": "Free"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        InstitutionList: {
            items: components["schemas"]["Institution"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "activations": 1,
         *       "activeLicenses": 1,
         *       "blockedActivations": 1,
         *       "expiringIn30Days": 1,
         *       "licenses": 1,
         *       "liveSessions": 1,
         *       "members": 1,
         *       "pendingActivations": 1,
         *       "products": 1,
         *       "recentActivity": [
         *         {
         *           "actorKind": "User",
         *           "actorName": "owner@example.com",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "licenseName": "Studio Berlin",
         *           "occurredAt": "2026-11-22T09:30:00Z",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "subjectId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "subjectName": "Studio Berlin",
         *           "type": "Concurrent"
         *         }
         *       ],
         *       "unreviewedAccessAttempts": 1
         *     }
         */
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
        /**
         * @example {
         *       "name": "Aurora"
         *     }
         */
        InstitutionRequest: {
            name: string;
        };
        /**
         * @example {
         *       "apiKeyRateLimit": 1,
         *       "callerAddress": "203.0.113.9",
         *       "callerAddressAllowed": true,
         *       "expiryReminderDays": [
         *         30,
         *         7,
         *         1
         *       ],
         *       "ipAllowList": [
         *         "203.0.113.0/24"
         *       ],
         *       "runtimeRateLimit": 6000,
         *       "telemetryRetentionDays": 90
         *     }
         */
        InstitutionSettings: {
            apiKeyRateLimit: number | null;
            callerAddress: string;
            callerAddressAllowed: boolean;
            expiryReminderDays: number[];
            ipAllowList: string[];
            runtimeRateLimit: number | null;
            telemetryRetentionDays: number;
        };
        /**
         * @example {
         *       "apiKeyRateLimit": 1,
         *       "expiryReminderDays": [
         *         30,
         *         7,
         *         1
         *       ],
         *       "ipAllowList": [
         *         "203.0.113.0/24"
         *       ],
         *       "runtimeRateLimit": 6000,
         *       "telemetryRetentionDays": 90
         *     }
         */
        InstitutionSettingsChange: {
            apiKeyRateLimit?: number | null;
            expiryReminderDays?: number[] | null;
            ipAllowList?: string[] | null;
            runtimeRateLimit?: number | null;
            telemetryRetentionDays?: number;
        };
        /**
         * @example {
         *       "acceptUrl": "https://licenses.example.com/invitation?token=inv_3Qm8",
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "email": "customer@example.com",
         *       "expiresAt": "2026-11-22T09:30:00Z",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "productIds": [
         *         "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *       ],
         *       "releaseIds": [
         *         "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *       ],
         *       "role": "Owner",
         *       "status": "Pending"
         *     }
         */
        Invitation: {
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
        /**
         * @example {
         *       "items": [
         *         {
         *           "acceptUrl": "https://licenses.example.com/invitation?token=inv_3Qm8",
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "email": "customer@example.com",
         *           "expiresAt": "2026-11-22T09:30:00Z",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "productIds": [
         *             "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *           ],
         *           "releaseIds": [
         *             "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *           ],
         *           "role": "Owner",
         *           "status": "Pending"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        InvitationList: {
            items: components["schemas"]["Invitation"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "email": "customer@example.com",
         *       "expiresAt": "2026-11-22T09:30:00Z",
         *       "hasAccount": true,
         *       "institutionName": "Example Software",
         *       "role": "Owner"
         *     }
         */
        InvitationPreview: {
            email: string | null;
            /** Format: date-time */
            expiresAt: string;
            hasAccount: boolean;
            institutionName: string;
            role: components["schemas"]["Role"];
        };
        /**
         * @example {
         *       "email": "customer@example.com",
         *       "productIds": [
         *         "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *       ],
         *       "releaseIds": [
         *         "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *       ],
         *       "role": "Owner"
         *     }
         */
        InvitationRequest: {
            email: string;
            productIds?: string[] | null;
            releaseIds?: string[] | null;
            role: components["schemas"]["Role"];
        };
        /**
         * @description The status of an invitation; only a Pending one can be accepted.
         * @example Pending
         * @enum {string}
         */
        InvitationStatus: "Pending" | "Accepted" | "Expired" | "Revoked";
        /**
         * @example {
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "description": "Used by the nightly build.",
         *       "expirationDate": "2026-11-22T09:30:00Z",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "ipAllowList": [
         *         "203.0.113.0/24"
         *       ],
         *       "lastUsedAt": "2026-11-22T09:30:00Z",
         *       "name": "Aurora",
         *       "revokedAt": "2026-11-22T09:30:00Z",
         *       "scopes": [
         *         "Licenses.Read"
         *       ],
         *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
         *     }
         */
        IssuedApiKey: {
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
        /**
         * @example {
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "description": "Used by the nightly build.",
         *       "disabledAt": "2026-11-22T09:30:00Z",
         *       "disabledReason": "Gone",
         *       "enabled": true,
         *       "eventTypes": [
         *         "license.*"
         *       ],
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "lastDeliveryAt": "2026-11-22T09:30:00Z",
         *       "lastStatus": "Pending",
         *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
         *       "updatedAt": "2026-11-22T09:30:00Z",
         *       "url": "https://hooks.example.com/licet"
         *     }
         */
        IssuedWebhook: {
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
            lastStatus: components["schemas"]["WebhookDeliveryStatus"] | null;
            secret: string;
            /** Format: date-time */
            updatedAt: string;
            url: string;
        };
        /**
         * @example {
         *       "activationMode": "Online",
         *       "customerInstitutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "deviceBindingMode": "AutoBind",
         *       "entitlementSetId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "expirationDate": "2026-11-22T09:30:00Z",
         *       "initialMeterBalance": 1000,
         *       "issuedTo": "customer@example.com",
         *       "issuer": "Example Software",
         *       "licenseKey": "7Q2KD-M4XWB-9TC0Z-H3RVN-5EJ8A",
         *       "licenseName": "Studio Berlin",
         *       "maxActiveUsersCount": 5,
         *       "metadata": {
         *         "crmId": "4711"
         *       },
         *       "notes": "Paid by invoice.",
         *       "password": "correct horse battery",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "softwareReleaseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "type": "Concurrent",
         *       "username": "studio"
         *     }
         */
        IssueLicenseRequest: {
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
        /**
         * @example {
         *       "activationId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "amount": 500,
         *       "balanceAfter": 1250.5,
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "externalReference": "INV-2026-0042",
         *       "featureName": "export-pdf",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "idempotencyKey": "render-frame-0001",
         *       "quantity": 3,
         *       "reason": "Invoice paid",
         *       "sequence": 1,
         *       "type": "InitialGrant",
         *       "unitPrice": 2.5
         *     }
         */
        LedgerEntry: {
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
        /**
         * @example {
         *       "items": [
         *         {
         *           "activationId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "amount": 500,
         *           "balanceAfter": 1250.5,
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "externalReference": "INV-2026-0042",
         *           "featureName": "export-pdf",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "idempotencyKey": "render-frame-0001",
         *           "quantity": 3,
         *           "reason": "Invoice paid",
         *           "sequence": 1,
         *           "type": "InitialGrant",
         *           "unitPrice": 2.5
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        LedgerEntryList: {
            items: components["schemas"]["LedgerEntry"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @description Why a balance changed.
         * @example InitialGrant
         * @enum {string}
         */
        LedgerEntryType: "InitialGrant" | "Consume" | "AdminGrant" | "Adjust";
        /**
         * @example {
         *       "balance": 1250.5,
         *       "firstBadSequence": 1,
         *       "ledgerBalance": 1250.5,
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "problems": [
         *         "EntryMissing"
         *       ]
         *     }
         */
        LedgerMismatch: {
            balance: number | null;
            firstBadSequence: number | null;
            ledgerBalance: number | null;
            /** Format: uuid */
            licenseId: string;
            problems: components["schemas"]["LedgerProblem"][];
        };
        /**
         * @description How a wallet and its ledger disagree.
         * @example EntryMissing
         * @enum {string}
         */
        LedgerProblem: "EntryMissing" | "EntryAdded" | "EntryChanged" | "BalanceDiffers" | "WalletMissing";
        /**
         * @example {
         *       "activationMode": "Online",
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "customerInstitutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "deviceBindingMode": "AutoBind",
         *       "entitlementSetId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "expirationDate": "2026-11-22T09:30:00Z",
         *       "features": [
         *         "export-pdf",
         *         "batch-render"
         *       ],
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "issuedTo": "customer@example.com",
         *       "issuer": "Example Software",
         *       "licenseKey": "7Q2KD-M4XWB-9TC0Z-H3RVN-5EJ8A",
         *       "licenseName": "Studio Berlin",
         *       "lowBalanceThreshold": 100,
         *       "maxActiveUsersCount": 5,
         *       "metadata": {
         *         "crmId": "4711"
         *       },
         *       "meterBalance": 1250.5,
         *       "meterMode": "Count",
         *       "notes": "Paid by invoice.",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "productName": "Aurora",
         *       "releaseVersion": "2.4.0",
         *       "revokedAt": "2026-11-22T09:30:00Z",
         *       "seatsUsed": 3,
         *       "softwareReleaseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "status": "Active",
         *       "type": "Concurrent",
         *       "unreviewedAccessAttempts": 1,
         *       "updatedAt": "2026-11-22T09:30:00Z",
         *       "username": "studio"
         *     }
         */
        License: {
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
        /**
         * @example {
         *       "activationMode": "Online",
         *       "customerInstitutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "deviceBindingMode": "AutoBind",
         *       "entitlementSetId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "expirationDate": "2026-11-22T09:30:00Z",
         *       "issuedTo": "customer@example.com",
         *       "issuer": "Example Software",
         *       "licenseName": "Studio Berlin",
         *       "maxActiveUsersCount": 5,
         *       "metadata": {
         *         "crmId": "4711"
         *       },
         *       "notes": "Paid by invoice.",
         *       "password": "correct horse battery",
         *       "softwareReleaseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "username": "studio"
         *     }
         */
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
        /**
         * @example {
         *       "accessAttempts": 1,
         *       "activeDevices": 1,
         *       "blockedDevices": 1,
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "liveSessions": 1,
         *       "pendingDevices": 1,
         *       "unreviewedAccessAttempts": 1
         *     }
         */
        LicenseCounts: {
            accessAttempts: number;
            activeDevices: number;
            blockedDevices: number;
            /** Format: uuid */
            licenseId: string;
            liveSessions: number;
            pendingDevices: number;
            unreviewedAccessAttempts: number;
        };
        /**
         * @example {
         *       "converted": 1,
         *       "created": 1,
         *       "date": "2026-11-22",
         *       "renewed": 1,
         *       "revoked": 1
         *     }
         */
        LicenseDay: {
            converted: number;
            created: number;
            /** Format: date */
            date: string;
            renewed: number;
            revoked: number;
        };
        /**
         * @example {
         *       "actorKind": "User",
         *       "actorName": "owner@example.com",
         *       "changes": {
         *         "licenseName": [
         *           "Studio",
         *           "Studio Berlin"
         *         ]
         *       },
         *       "data": {
         *         "licenseName": "Studio Berlin",
         *         "status": "Active"
         *       },
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "occurredAt": "2026-11-22T09:30:00Z",
         *       "subjectId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "type": "access_attempt.detected"
         *     }
         */
        LicenseEvent: {
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
        /**
         * @example {
         *       "items": [
         *         {
         *           "actorKind": "User",
         *           "actorName": "owner@example.com",
         *           "changes": {
         *             "licenseName": [
         *               "Studio",
         *               "Studio Berlin"
         *             ]
         *           },
         *           "data": {
         *             "licenseName": "Studio Berlin",
         *             "status": "Active"
         *           },
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "occurredAt": "2026-11-22T09:30:00Z",
         *           "subjectId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "type": "access_attempt.detected"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        LicenseEventList: {
            items: components["schemas"]["LicenseEvent"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "activationMode": "Online",
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "customerInstitutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "deviceBindingMode": "AutoBind",
         *           "entitlementSetId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "expirationDate": "2026-11-22T09:30:00Z",
         *           "features": [
         *             "export-pdf",
         *             "batch-render"
         *           ],
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "issuedTo": "customer@example.com",
         *           "issuer": "Example Software",
         *           "licenseKey": "7Q2KD-M4XWB-9TC0Z-H3RVN-5EJ8A",
         *           "licenseName": "Studio Berlin",
         *           "lowBalanceThreshold": 100,
         *           "maxActiveUsersCount": 5,
         *           "metadata": {
         *             "crmId": "4711"
         *           },
         *           "meterBalance": 1250.5,
         *           "meterMode": "Count",
         *           "notes": "Paid by invoice.",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "productName": "Aurora",
         *           "releaseVersion": "2.4.0",
         *           "revokedAt": "2026-11-22T09:30:00Z",
         *           "seatsUsed": 3,
         *           "softwareReleaseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "status": "Active",
         *           "type": "Concurrent",
         *           "unreviewedAccessAttempts": 1,
         *           "updatedAt": "2026-11-22T09:30:00Z",
         *           "username": "studio"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        LicenseList: {
            items: components["schemas"]["License"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "byProduct": [
         *         {
         *           "active": 1,
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "productName": "Aurora",
         *           "total": 1
         *         }
         *       ],
         *       "byStatus": {},
         *       "byType": {},
         *       "converted": 1,
         *       "created": 1,
         *       "dailyTrend": [
         *         {
         *           "converted": 1,
         *           "created": 1,
         *           "date": "2026-11-22",
         *           "renewed": 1,
         *           "revoked": 1
         *         }
         *       ],
         *       "expiringIn30Days": 1,
         *       "from": "2026-11-22T09:30:00Z",
         *       "renewed": 1,
         *       "revoked": 1,
         *       "to": "2026-11-22T09:30:00Z",
         *       "total": 1
         *     }
         */
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
         * @description What a license is at an instant.
         * @example Active
         * @enum {string}
         */
        LicenseStatus: "Active" | "Expired" | "Revoked" | "Suspended";
        /**
         * @description The license models; on the wire by name, on create also by number.
         * @example Perpetual
         * @enum {string}
         */
        LicenseType: "Perpetual" | "Trial" | "Subscription" | "Floating" | "Concurrent" | "NodeLocked" | "MeteredToken" | "MeteredCount";
        /**
         * @example {
         *       "email": "customer@example.com",
         *       "otpCode": "123456",
         *       "password": "correct horse battery"
         *     }
         */
        LoginRequest: {
            email: string;
            otpCode?: string | null;
            password: string;
        };
        /**
         * @example {
         *       "balance": 1250.5,
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "licenseName": "Studio Berlin",
         *       "lowBalanceThreshold": 100,
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "type": "Concurrent"
         *     }
         */
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
        /**
         * @example {
         *       "balance": 1250.5,
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "licenseName": "Studio Berlin",
         *       "lowBalanceThreshold": 100,
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "productName": "Aurora"
         *     }
         */
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
        /**
         * @example {
         *       "count": 1,
         *       "items": [
         *         {
         *           "balance": 1250.5,
         *           "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "licenseName": "Studio Berlin",
         *           "lowBalanceThreshold": 100,
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "productName": "Aurora"
         *         }
         *       ]
         *     }
         */
        LowLicenses: {
            count: number;
            items: components["schemas"]["LowLicense"][];
        };
        /**
         * @example {
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "recipient": "customer@example.com",
         *       "sentAt": "2026-11-22T09:30:00Z",
         *       "status": "Waiting",
         *       "subject": "Your license of Aurora",
         *       "text": "Workstation 7 was activated."
         *     }
         */
        Mail: {
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
        /**
         * @example {
         *       "items": [
         *         {
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "recipient": "customer@example.com",
         *           "sentAt": "2026-11-22T09:30:00Z",
         *           "status": "Waiting",
         *           "subject": "Your license of Aurora",
         *           "text": "Workstation 7 was activated."
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        MailList: {
            items: components["schemas"]["Mail"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @description The delivery status of an e-mail.
         * @example Waiting
         * @enum {string}
         */
        MailStatus: "Waiting" | "Sent" | "Failed";
        /**
         * @example {
         *       "email": "customer@example.com",
         *       "fullName": "Ada Example",
         *       "joinedAt": "2026-11-22T09:30:00Z",
         *       "productIds": [
         *         "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *       ],
         *       "releaseIds": [
         *         "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *       ],
         *       "role": "Owner",
         *       "totpEnabled": true,
         *       "userId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *     }
         */
        Member: {
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
        /**
         * @example {
         *       "productIds": [
         *         "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *       ],
         *       "releaseIds": [
         *         "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *       ],
         *       "role": "Owner"
         *     }
         */
        MemberChange: {
            productIds?: string[] | null;
            releaseIds?: string[] | null;
            role?: components["schemas"]["Role"];
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "email": "customer@example.com",
         *           "fullName": "Ada Example",
         *           "joinedAt": "2026-11-22T09:30:00Z",
         *           "productIds": [
         *             "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *           ],
         *           "releaseIds": [
         *             "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *           ],
         *           "role": "Owner",
         *           "totpEnabled": true,
         *           "userId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        MemberList: {
            items: components["schemas"]["Member"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "institutionName": "Example Software",
         *       "role": "Owner"
         *     }
         */
        Membership: {
            /** Format: uuid */
            institutionId: string;
            institutionName: string;
            role: components["schemas"]["Role"];
        };
        /**
         * @example {
         *       "consumed": 1,
         *       "date": "2026-11-22",
         *       "granted": 1
         *     }
         */
        MeterDay: {
            consumed: number;
            /** Format: date */
            date: string;
            granted: number;
        };
        /**
         * @description What a meter counts: uses, or tokens at a price for each feature.
         * @example Count
         * @enum {string}
         */
        MeterMode: "Count" | "Token";
        /**
         * @example {
         *       "lowBalanceThreshold": 100
         *     }
         */
        MeterSettingsChange: {
            lowBalanceThreshold?: number | null;
        };
        /**
         * @example {
         *       "adjustments": -5,
         *       "byMode": {},
         *       "consumption": 1,
         *       "dailyTrend": [
         *         {
         *           "consumed": 1,
         *           "date": "2026-11-22",
         *           "granted": 1
         *         }
         *       ],
         *       "from": "2026-11-22T09:30:00Z",
         *       "grants": 1,
         *       "lowBalanceLicenses": [
         *         {
         *           "balance": 1250.5,
         *           "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "licenseName": "Studio Berlin",
         *           "lowBalanceThreshold": 100,
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "type": "Concurrent"
         *         }
         *       ],
         *       "meteredCountLicenseCount": 1,
         *       "meteredTokenLicenseCount": 1,
         *       "to": "2026-11-22T09:30:00Z",
         *       "topFeatures": [
         *         {
         *           "consumed": 1,
         *           "featureName": "export-pdf"
         *         }
         *       ],
         *       "topLicenses": [
         *         {
         *           "consumed": 1,
         *           "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "licenseName": "Studio Berlin",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "type": "Concurrent"
         *         }
         *       ],
         *       "totalBalance": 1
         *     }
         */
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
        /**
         * @example {
         *       "consumed": 1,
         *       "featureName": "export-pdf"
         *     }
         */
        MeterTopFeature: {
            consumed: number;
            featureName: string;
        };
        /**
         * @example {
         *       "consumed": 1,
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "licenseName": "Studio Berlin",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "type": "Concurrent"
         *     }
         */
        MeterTopLicense: {
            consumed: number;
            /** Format: uuid */
            licenseId: string;
            licenseName: string;
            /** Format: uuid */
            productId: string;
            type: components["schemas"]["LicenseType"];
        };
        /**
         * @example {
         *       "adjustments": -5,
         *       "consumption": 1,
         *       "dailyTrend": [
         *         {
         *           "consumed": 1,
         *           "date": "2026-11-22",
         *           "granted": 1
         *         }
         *       ],
         *       "grants": 1,
         *       "lowBalanceLicenses": [
         *         {
         *           "balance": 1250.5,
         *           "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "licenseName": "Studio Berlin",
         *           "lowBalanceThreshold": 100,
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "type": "Concurrent"
         *         }
         *       ],
         *       "topFeatures": [
         *         {
         *           "consumed": 1,
         *           "featureName": "export-pdf"
         *         }
         *       ],
         *       "topLicenses": [
         *         {
         *           "consumed": 1,
         *           "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "licenseName": "Studio Berlin",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "type": "Concurrent"
         *         }
         *       ],
         *       "totalBalance": 1
         *     }
         */
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
         * @example {
         *       "body": "Hello, your license is ready.",
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "kind": "LicenseExpiring",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "readAt": "2026-11-22T09:30:00Z",
         *       "subjectId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "subjectKind": "License",
         *       "title": "Device activated"
         *     }
         */
        Notification: {
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
        /**
         * @description The kind of a notification, which each user can turn on and off.
         * @example LicenseExpiring
         * @enum {string}
         */
        NotificationKind: "LicenseExpiring" | "LicenseExpired" | "DeviceActivated" | "AccessAttempt" | "LowBalance" | "WebhookDisabled" | "Invitation";
        /**
         * @example {
         *       "items": [
         *         {
         *           "body": "Hello, your license is ready.",
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "kind": "LicenseExpiring",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "readAt": "2026-11-22T09:30:00Z",
         *           "subjectId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "subjectKind": "License",
         *           "title": "Device activated"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        NotificationList: {
            items: components["schemas"]["Notification"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @description What a notification links to.
         * @example License
         * @enum {string}
         */
        NotificationSubject: "License" | "Webhook" | "Invitation" | "Member" | "Association";
        /**
         * @example {
         *       "otpauthUri": "otpauth://totp/Licet:owner%40example.com?secret=JBSWY3DPEHPK3PXP",
         *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
         *     }
         */
        OfferedFactor: {
            otpauthUri: string;
            secret: string;
        };
        /**
         * @example {
         *       "otpCode": "123456"
         *     }
         */
        OtpRequest: {
            otpCode: string;
        };
        /**
         * @example {
         *       "activations": 1,
         *       "activationsCreated": 1,
         *       "activeLicenses": 1,
         *       "blockedActivations": 1,
         *       "expiringIn30Days": 1,
         *       "from": "2026-11-22T09:30:00Z",
         *       "licenses": 1,
         *       "licensesCreated": 1,
         *       "liveSessions": 1,
         *       "pendingActivations": 1,
         *       "products": 1,
         *       "sessionsStarted": 1,
         *       "to": "2026-11-22T09:30:00Z",
         *       "unreviewedAccessAttempts": 1
         *     }
         */
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
        /**
         * @example {
         *       "licenses": 1,
         *       "products": 1
         *     }
         */
        OwnLimits: {
            licenses?: number | null;
            products?: number | null;
        };
        /**
         * @example {
         *       "currentPassword": "correct horse battery",
         *       "newPassword": "battery staple correct"
         *     }
         */
        PasswordChange: {
            currentPassword: string;
            newPassword: string;
        };
        /**
         * @example {
         *       "apiKeys": [
         *         {
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "institutionName": "Example Software",
         *           "lastUsedAt": "2026-11-22T09:30:00Z",
         *           "name": "Aurora"
         *         }
         *       ]
         *     }
         */
        PasswordResetPreview: {
            apiKeys: components["schemas"]["AccountApiKey"][];
        };
        /**
         * @example {
         *       "email": "customer@example.com"
         *     }
         */
        PasswordResetRequest: {
            email: string;
        };
        /**
         * @example {
         *       "activationId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "deviceName": "Workstation 7",
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "licenseName": "Studio Berlin",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "productName": "Aurora"
         *     }
         */
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
        /**
         * @example {
         *       "count": 1,
         *       "items": [
         *         {
         *           "activationId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "deviceName": "Workstation 7",
         *           "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "licenseName": "Studio Berlin",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "productName": "Aurora"
         *         }
         *       ]
         *     }
         */
        PendingDevices: {
            count: number;
            items: components["schemas"]["PendingDevice"][];
        };
        /**
         * @description The plan of an institution; new ones get that of `LICET_DEFAULT_PLAN` or of their founder.
         * @example Free
         * @enum {string}
         */
        Plan: "Free" | "Pro" | "Unlimited";
        /**
         * @example {
         *       "licenses": 1,
         *       "products": 1
         *     }
         */
        PlanLimits: {
            licenses: number | null;
            products: number | null;
        };
        /**
         * @example {
         *       "limits": {
         *         "licenses": 1,
         *         "products": 1
         *       },
         *       "plan": "Free"
         *     }
         */
        PlanRequest: {
            limits?: components["schemas"]["OwnLimits"] | null;
            plan: components["schemas"]["Plan"];
        };
        /**
         * @example {
         *       "email": "customer@example.com"
         *     }
         */
        PortalAccessRequest: {
            email: string;
        };
        /**
         * @example {
         *       "appVersion": "2.4.1",
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "deviceName": "Workstation 7",
         *       "fileEndsAt": "2026-11-22T09:30:00Z",
         *       "hardwareId": "8c1f0a77e2b94d55",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "lastSeenAt": "2026-11-22T09:30:00Z",
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "os": "Debian 12",
         *       "releasedAt": "2026-11-22T09:30:00Z",
         *       "seatFreeAt": "2026-11-22T09:30:00Z",
         *       "status": "Active"
         *     }
         */
        PortalActivation: {
            appVersion: string | null;
            /** Format: date-time */
            createdAt: string;
            deviceName: string | null;
            fileEndsAt: string | null;
            hardwareId: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** Format: uuid */
            licenseId: string;
            os: string | null;
            releasedAt: string | null;
            seatFreeAt: string | null;
            status: components["schemas"]["ActivationStatus"];
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "appVersion": "2.4.1",
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "deviceName": "Workstation 7",
         *           "fileEndsAt": "2026-11-22T09:30:00Z",
         *           "hardwareId": "8c1f0a77e2b94d55",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "lastSeenAt": "2026-11-22T09:30:00Z",
         *           "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "os": "Debian 12",
         *           "releasedAt": "2026-11-22T09:30:00Z",
         *           "seatFreeAt": "2026-11-22T09:30:00Z",
         *           "status": "Active"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        PortalActivationList: {
            items: components["schemas"]["PortalActivation"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "channel": "Stable",
         *       "files": [
         *         {
         *           "downloadUrl": "https://licenses.example.com/api/downloads/dl_7Yt2",
         *           "name": "Aurora",
         *           "platform": "linux-x64",
         *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *           "sizeBytes": 48211934
         *         }
         *       ],
         *       "notes": "Paid by invoice.",
         *       "publishedAt": "2026-11-22T09:30:00Z",
         *       "releaseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "version": "2.4.1"
         *     }
         */
        PortalDownload: {
            channel: string;
            files: components["schemas"]["UpdateFile"][];
            notes: string | null;
            publishedAt: string | null;
            /** Format: uuid */
            releaseId: string;
            version: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "channel": "Stable",
         *           "files": [
         *             {
         *               "downloadUrl": "https://licenses.example.com/api/downloads/dl_7Yt2",
         *               "name": "Aurora",
         *               "platform": "linux-x64",
         *               "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *               "sizeBytes": 48211934
         *             }
         *           ],
         *           "notes": "Paid by invoice.",
         *           "publishedAt": "2026-11-22T09:30:00Z",
         *           "releaseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "version": "2.4.1"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        PortalDownloadList: {
            items: components["schemas"]["PortalDownload"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "activationMode": "Online",
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "deviceReleasesLeft": 1,
         *       "deviceReleasesPerYear": 1,
         *       "expirationDate": "2026-11-22T09:30:00Z",
         *       "features": [
         *         "export-pdf",
         *         "batch-render"
         *       ],
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "institutionName": "Example Software",
         *       "issuedTo": "customer@example.com",
         *       "issuer": "Example Software",
         *       "licenseKey": "7Q2KD-M4XWB-9TC0Z-H3RVN-5EJ8A",
         *       "licenseName": "Studio Berlin",
         *       "maxActiveUsersCount": 5,
         *       "metadata": {
         *         "crmId": "4711"
         *       },
         *       "meterBalance": 1250.5,
         *       "meterMode": "Count",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "productName": "Aurora",
         *       "releaseVersion": "2.4.0",
         *       "seatsUsed": 3,
         *       "status": "Active",
         *       "type": "Concurrent"
         *     }
         */
        PortalLicense: {
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
        /**
         * @example {
         *       "items": [
         *         {
         *           "activationMode": "Online",
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "deviceReleasesLeft": 1,
         *           "deviceReleasesPerYear": 1,
         *           "expirationDate": "2026-11-22T09:30:00Z",
         *           "features": [
         *             "export-pdf",
         *             "batch-render"
         *           ],
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "institutionName": "Example Software",
         *           "issuedTo": "customer@example.com",
         *           "issuer": "Example Software",
         *           "licenseKey": "7Q2KD-M4XWB-9TC0Z-H3RVN-5EJ8A",
         *           "licenseName": "Studio Berlin",
         *           "maxActiveUsersCount": 5,
         *           "metadata": {
         *             "crmId": "4711"
         *           },
         *           "meterBalance": 1250.5,
         *           "meterMode": "Count",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "productName": "Aurora",
         *           "releaseVersion": "2.4.0",
         *           "seatsUsed": 3,
         *           "status": "Active",
         *           "type": "Concurrent"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        PortalLicenseList: {
            items: components["schemas"]["PortalLicense"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "AccessAttempt": {
         *         "email": true,
         *         "inApp": true
         *       },
         *       "DeviceActivated": {
         *         "email": true,
         *         "inApp": true
         *       },
         *       "Invitation": {
         *         "email": true,
         *         "inApp": true
         *       },
         *       "LicenseExpired": {
         *         "email": true,
         *         "inApp": true
         *       },
         *       "LicenseExpiring": {
         *         "email": true,
         *         "inApp": true
         *       },
         *       "LowBalance": {
         *         "email": true,
         *         "inApp": true
         *       },
         *       "WebhookDisabled": {
         *         "email": true,
         *         "inApp": true
         *       }
         *     }
         */
        Preferences: {
            AccessAttempt: components["schemas"]["Channels"];
            DeviceActivated: components["schemas"]["Channels"];
            Invitation: components["schemas"]["Channels"];
            LicenseExpired: components["schemas"]["Channels"];
            LicenseExpiring: components["schemas"]["Channels"];
            LowBalance: components["schemas"]["Channels"];
            WebhookDisabled: components["schemas"]["Channels"];
        };
        /**
         * @example {
         *       "AccessAttempt": {
         *         "email": true,
         *         "inApp": true
         *       },
         *       "DeviceActivated": {
         *         "email": true,
         *         "inApp": true
         *       },
         *       "Invitation": {
         *         "email": true,
         *         "inApp": true
         *       },
         *       "LicenseExpired": {
         *         "email": true,
         *         "inApp": true
         *       },
         *       "LicenseExpiring": {
         *         "email": true,
         *         "inApp": true
         *       },
         *       "LowBalance": {
         *         "email": true,
         *         "inApp": true
         *       },
         *       "WebhookDisabled": {
         *         "email": true,
         *         "inApp": true
         *       }
         *     }
         */
        PreferencesChange: {
            AccessAttempt?: components["schemas"]["ChannelsChange"];
            DeviceActivated?: components["schemas"]["ChannelsChange"];
            Invitation?: components["schemas"]["ChannelsChange"];
            LicenseExpired?: components["schemas"]["ChannelsChange"];
            LicenseExpiring?: components["schemas"]["ChannelsChange"];
            LowBalance?: components["schemas"]["ChannelsChange"];
            WebhookDisabled?: components["schemas"]["ChannelsChange"];
        };
        /**
         * @description A refusal as the API documents it; some codes add members such as `seatsUsed`.
         * @example {
         *       "detail": "The license is active.",
         *       "errorCode": "ActivationNotFound",
         *       "errors": [
         *         {
         *           "field": "maxActiveUsersCount",
         *           "message": "The license is valid."
         *         }
         *       ],
         *       "requestId": "text",
         *       "status": 1,
         *       "success": true,
         *       "title": "Device activated",
         *       "type": "Concurrent"
         *     }
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
        /**
         * @example {
         *       "accessType": "Opened",
         *       "associatedInstitutionIds": [
         *         "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *       ],
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "description": "Used by the nightly build.",
         *       "hasKeys": true,
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "imageUrl": "/api/products/0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70/image",
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "licenseCount": 1,
         *       "name": "Aurora",
         *       "settings": {
         *         "deviceReleasesPerYear": 1,
         *         "downloadsNeedLicense": true,
         *         "heartbeatIntervalSeconds": 30,
         *         "heartbeatMinSpacingSeconds": 5,
         *         "offlineFileLifetimeDays": 1,
         *         "sessionTimeoutSeconds": 90
         *       },
         *       "updatedAt": "2026-11-22T09:30:00Z"
         *     }
         */
        Product: {
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
            settings: components["schemas"]["ProductSettings"];
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * @example {
         *       "accessType": "Opened",
         *       "description": "Used by the nightly build.",
         *       "name": "Aurora",
         *       "settings": {
         *         "deviceReleasesPerYear": 1,
         *         "downloadsNeedLicense": true,
         *         "heartbeatIntervalSeconds": 30,
         *         "heartbeatMinSpacingSeconds": 5,
         *         "offlineFileLifetimeDays": 1,
         *         "sessionTimeoutSeconds": 90
         *       }
         *     }
         */
        ProductChange: {
            accessType?: components["schemas"]["AccessType"];
            description?: string | null;
            name?: string;
            settings?: components["schemas"]["ProductSettingsChange"];
        };
        /**
         * @example {
         *       "apiKey": "pk_0197a3c25d4e7b1a_Hq2vWc81",
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "expiresAt": "2026-11-22T09:30:00Z",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *     }
         */
        ProductKey: {
            apiKey: string;
            /** Format: date-time */
            createdAt: string;
            expiresAt: string | null;
            /** Format: uuid */
            id: string;
        };
        /**
         * @example {
         *       "active": 1,
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "productName": "Aurora",
         *       "total": 1
         *     }
         */
        ProductLicenses: {
            active: number;
            /** Format: uuid */
            productId: string;
            productName: string;
            total: number;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "accessType": "Opened",
         *           "associatedInstitutionIds": [
         *             "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *           ],
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "description": "Used by the nightly build.",
         *           "hasKeys": true,
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "imageUrl": "/api/products/0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70/image",
         *           "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "licenseCount": 1,
         *           "name": "Aurora",
         *           "settings": {
         *             "deviceReleasesPerYear": 1,
         *             "downloadsNeedLicense": true,
         *             "heartbeatIntervalSeconds": 30,
         *             "heartbeatMinSpacingSeconds": 5,
         *             "offlineFileLifetimeDays": 1,
         *             "sessionTimeoutSeconds": 90
         *           },
         *           "updatedAt": "2026-11-22T09:30:00Z"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        ProductList: {
            items: components["schemas"]["Product"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "accessType": "Opened",
         *       "associatedInstitutionIds": [
         *         "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *       ],
         *       "description": "Used by the nightly build.",
         *       "initialVersion": "1.0.0",
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "name": "Aurora",
         *       "releaseChannel": "Stable",
         *       "settings": {
         *         "deviceReleasesPerYear": 1,
         *         "downloadsNeedLicense": true,
         *         "heartbeatIntervalSeconds": 30,
         *         "heartbeatMinSpacingSeconds": 5,
         *         "offlineFileLifetimeDays": 1,
         *         "sessionTimeoutSeconds": 90
         *       }
         *     }
         */
        ProductRequest: {
            accessType?: components["schemas"]["AccessType"];
            associatedInstitutionIds?: string[] | null;
            description?: string | null;
            initialVersion: string;
            institutionId?: string | null;
            name: string;
            /** @default Stable */
            releaseChannel: string;
            settings?: components["schemas"]["ProductSettingsRequest"] | null;
        };
        /**
         * @example {
         *       "deviceReleasesPerYear": 1,
         *       "downloadsNeedLicense": true,
         *       "heartbeatIntervalSeconds": 30,
         *       "heartbeatMinSpacingSeconds": 5,
         *       "offlineFileLifetimeDays": 1,
         *       "sessionTimeoutSeconds": 90
         *     }
         */
        ProductSettings: {
            deviceReleasesPerYear: number;
            downloadsNeedLicense: boolean;
            heartbeatIntervalSeconds: number;
            heartbeatMinSpacingSeconds: number;
            offlineFileLifetimeDays: number | null;
            sessionTimeoutSeconds: number;
        };
        /**
         * @example {
         *       "deviceReleasesPerYear": 1,
         *       "downloadsNeedLicense": true,
         *       "heartbeatIntervalSeconds": 30,
         *       "heartbeatMinSpacingSeconds": 5,
         *       "offlineFileLifetimeDays": 1,
         *       "sessionTimeoutSeconds": 90
         *     }
         */
        ProductSettingsChange: {
            deviceReleasesPerYear?: number;
            downloadsNeedLicense?: boolean;
            heartbeatIntervalSeconds?: number;
            heartbeatMinSpacingSeconds?: number;
            offlineFileLifetimeDays?: number | null;
            sessionTimeoutSeconds?: number;
        };
        /**
         * @example {
         *       "deviceReleasesPerYear": 1,
         *       "downloadsNeedLicense": true,
         *       "heartbeatIntervalSeconds": 30,
         *       "heartbeatMinSpacingSeconds": 5,
         *       "offlineFileLifetimeDays": 1,
         *       "sessionTimeoutSeconds": 90
         *     }
         */
        ProductSettingsRequest: {
            deviceReleasesPerYear?: number;
            downloadsNeedLicense?: boolean;
            heartbeatIntervalSeconds?: number;
            heartbeatMinSpacingSeconds?: number;
            offlineFileLifetimeDays?: number;
            sessionTimeoutSeconds?: number;
        };
        /**
         * @example {
         *       "email": "customer@example.com",
         *       "emailVerified": true,
         *       "fullName": "Ada Example",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "isSystemAdmin": true,
         *       "memberships": [
         *         {
         *           "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "institutionName": "Example Software",
         *           "role": "Owner"
         *         }
         *       ],
         *       "recoveryCodesLeft": 1,
         *       "totpEnabled": true
         *     }
         */
        Profile: {
            email: string;
            emailVerified: boolean;
            fullName: string;
            /** Format: uuid */
            id: string;
            isSystemAdmin: boolean;
            memberships: components["schemas"]["Membership"][];
            recoveryCodesLeft: number | null;
            totpEnabled: boolean;
        };
        /**
         * @example {
         *       "fullName": "Ada Example"
         *     }
         */
        ProfileChange: {
            fullName?: string;
        };
        /**
         * @description What a user proves themselves with.
         * @example Password
         * @enum {string}
         */
        ProofMethod: "Password" | "Otp";
        /**
         * @example {
         *       "algorithm": "RS256",
         *       "keySize": 3072,
         *       "kid": "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
         *       "publicKey": "MIIBojANBgkqhkiG9w0BAQEFAAOCAY8AMIIBigKCAYEA",
         *       "publicKeyPem": "-----BEGIN PUBLIC KEY-----\nMIIBojANBgkq\n-----END PUBLIC KEY-----\n"
         *     }
         */
        PublicKey: {
            algorithm: string;
            keySize: number;
            kid: string;
            publicKey: string;
            publicKeyPem: string;
        };
        /**
         * @example {
         *       "reason": "Invoice paid"
         *     }
         */
        ReasonRequest: {
            reason?: string | null;
        };
        /**
         * @example {
         *       "acceptUrl": "https://licenses.example.com/invitation?token=inv_3Qm8",
         *       "acceptedAt": "2026-11-22T09:30:00Z",
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "expiresAt": "2026-11-22T09:30:00Z",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "institutionName": "Example Software",
         *       "productName": "Aurora",
         *       "status": "Invited",
         *       "vendorName": "Example Software"
         *     }
         */
        ReceivedAssociation: {
            acceptedAt: string | null;
            acceptUrl: string | null;
            /** Format: date-time */
            createdAt: string;
            expiresAt: string | null;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            institutionId: string;
            institutionName: string;
            productName: string;
            status: components["schemas"]["AssociationStatus"];
            vendorName: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "acceptUrl": "https://licenses.example.com/invitation?token=inv_3Qm8",
         *           "acceptedAt": "2026-11-22T09:30:00Z",
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "expiresAt": "2026-11-22T09:30:00Z",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "institutionName": "Example Software",
         *           "productName": "Aurora",
         *           "status": "Invited",
         *           "vendorName": "Example Software"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        ReceivedAssociationList: {
            items: components["schemas"]["ReceivedAssociation"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "activationMode": "Online",
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "customerInstitutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "deviceReleasesLeft": 1,
         *       "deviceReleasesPerYear": 1,
         *       "expirationDate": "2026-11-22T09:30:00Z",
         *       "features": [
         *         "export-pdf",
         *         "batch-render"
         *       ],
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "institutionName": "Example Software",
         *       "issuedTo": "customer@example.com",
         *       "issuer": "Example Software",
         *       "licenseKey": "7Q2KD-M4XWB-9TC0Z-H3RVN-5EJ8A",
         *       "licenseName": "Studio Berlin",
         *       "maxActiveUsersCount": 5,
         *       "metadata": {
         *         "crmId": "4711"
         *       },
         *       "meterBalance": 1250.5,
         *       "meterMode": "Count",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "productName": "Aurora",
         *       "releaseVersion": "2.4.0",
         *       "seatsUsed": 3,
         *       "status": "Active",
         *       "type": "Concurrent"
         *     }
         */
        ReceivedLicense: {
            activationMode: components["schemas"]["ActivationMode"];
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            customerInstitutionId: string;
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
        /**
         * @example {
         *       "items": [
         *         {
         *           "activationMode": "Online",
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "customerInstitutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "deviceReleasesLeft": 1,
         *           "deviceReleasesPerYear": 1,
         *           "expirationDate": "2026-11-22T09:30:00Z",
         *           "features": [
         *             "export-pdf",
         *             "batch-render"
         *           ],
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "institutionName": "Example Software",
         *           "issuedTo": "customer@example.com",
         *           "issuer": "Example Software",
         *           "licenseKey": "7Q2KD-M4XWB-9TC0Z-H3RVN-5EJ8A",
         *           "licenseName": "Studio Berlin",
         *           "maxActiveUsersCount": 5,
         *           "metadata": {
         *             "crmId": "4711"
         *           },
         *           "meterBalance": 1250.5,
         *           "meterMode": "Count",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "productName": "Aurora",
         *           "releaseVersion": "2.4.0",
         *           "seatsUsed": 3,
         *           "status": "Active",
         *           "type": "Concurrent"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        ReceivedLicenseList: {
            items: components["schemas"]["ReceivedLicense"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "after": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "limit": 1,
         *       "repair": true
         *     }
         */
        ReconcileRequest: {
            after?: string | null;
            institutionId?: string | null;
            licenseId?: string | null;
            limit?: number | null;
            /** @default false */
            repair: boolean;
        };
        /**
         * @example {
         *       "checked": 1,
         *       "mismatches": [
         *         {
         *           "balance": 1250.5,
         *           "firstBadSequence": 1,
         *           "ledgerBalance": 1250.5,
         *           "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "problems": [
         *             "EntryMissing"
         *           ]
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "repaired": true,
         *       "total": 1
         *     }
         */
        ReconcileResponse: {
            checked: number;
            mismatches: components["schemas"]["LedgerMismatch"][];
            nextAfter?: string | null;
            /** @default false */
            repaired: boolean;
            total?: number | null;
        };
        /**
         * @example {
         *       "recoveryCodes": [
         *         "k7fm-9q2x-w4dn"
         *       ]
         *     }
         */
        RecoveryCodes: {
            recoveryCodes: string[];
        };
        /**
         * @example {
         *       "hardwareId": "8c1f0a77e2b94d55",
         *       "licenseKey": "7Q2KD-M4XWB-9TC0Z-H3RVN-5EJ8A",
         *       "password": "correct horse battery",
         *       "protected": true,
         *       "username": "studio"
         *     }
         */
        RefreshRequest: {
            hardwareId?: string | null;
            licenseKey: string;
            password?: string | null;
            /** @default false */
            protected: boolean;
            username?: string | null;
        };
        /**
         * @example {
         *       "expiresAt": "2026-11-22T09:30:00Z",
         *       "file": "eyJhbGciOiJSUzI1NiIsInR5cCI6ImxpY2Vuc2Urand0In0.eyJzdWIiOiIwMTk3In0.c2ln"
         *     }
         */
        RefreshResponse: {
            expiresAt: string | null;
            file: string;
        };
        /**
         * @example {
         *       "email": "customer@example.com",
         *       "fullName": "Ada Example",
         *       "institutionName": "Example Software",
         *       "password": "correct horse battery"
         *     }
         */
        RegisterRequest: {
            email: string;
            fullName: string;
            institutionName: string;
            password: string;
        };
        /**
         * @example {
         *       "channel": "Stable",
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "notes": "Paid by invoice.",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "publishedAt": "2026-11-22T09:30:00Z",
         *       "status": "Draft",
         *       "updatedAt": "2026-11-22T09:30:00Z",
         *       "version": "2.4.1"
         *     }
         */
        Release: {
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
        /**
         * @example {
         *       "channel": "Stable",
         *       "notes": "Paid by invoice.",
         *       "status": "Draft",
         *       "version": "2.4.1"
         *     }
         */
        ReleaseChange: {
            channel?: string;
            notes?: string | null;
            status?: components["schemas"]["ReleaseStatus"];
            version?: string;
        };
        /**
         * @example {
         *       "contentType": "application/octet-stream",
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "name": "Aurora",
         *       "platform": "linux-x64",
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "sizeBytes": 48211934
         *     }
         */
        ReleaseFile: {
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
        /**
         * @example {
         *       "items": [
         *         {
         *           "contentType": "application/octet-stream",
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "name": "Aurora",
         *           "platform": "linux-x64",
         *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *           "sizeBytes": 48211934
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        ReleaseFileList: {
            items: components["schemas"]["ReleaseFile"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "channel": "Stable",
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "notes": "Paid by invoice.",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "publishedAt": "2026-11-22T09:30:00Z",
         *           "status": "Draft",
         *           "updatedAt": "2026-11-22T09:30:00Z",
         *           "version": "2.4.1"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        ReleaseList: {
            items: components["schemas"]["Release"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "channel": "Stable",
         *       "notes": "Paid by invoice.",
         *       "status": "Draft",
         *       "version": "2.4.1"
         *     }
         */
        ReleaseRequest: {
            /** @default Stable */
            channel: string;
            notes?: string | null;
            status?: components["schemas"]["ReleaseStatus"];
            version: string;
        };
        /**
         * @description The status of a release; only Published ones are offered.
         * @default Draft
         * @example Draft
         * @enum {string}
         */
        ReleaseStatus: "Draft" | "Published" | "Yanked";
        /**
         * @example {
         *       "password": "correct horse battery",
         *       "revokeApiKeys": true,
         *       "token": "eyJhbGciOiJSUzI1NiIsInR5cCI6InZlcmRpY3Qrand0In0.eyJ2YWxpZCI6dHJ1ZX0.c2ln"
         *     }
         */
        ResetPasswordRequest: {
            password: string;
            /** @default false */
            revokeApiKeys: boolean;
            token: string;
        };
        /**
         * @description A member's role in an institution; each role may do everything that the later ones may.
         * @example Owner
         * @enum {string}
         */
        Role: "Owner" | "Admin" | "Member" | "Viewer";
        /**
         * @example {
         *       "graceSeconds": 3600
         *     }
         */
        RotateProductKeyRequest: {
            graceSeconds?: number | null;
        };
        /**
         * @example {
         *       "detail": "The license is active.",
         *       "passed": true,
         *       "rule": "NotRevoked"
         *     }
         */
        Rule: {
            detail: string;
            passed: boolean;
            rule: string;
        };
        /**
         * @description What an API key may be used for. A write scope includes the read scope.
         * @example Licenses.Read
         * @enum {string}
         */
        Scope: "Licenses.Read" | "Licenses.Write" | "Activations.Read" | "Activations.Write" | "Products.Read" | "Products.Write" | "Releases.Read" | "Releases.Write" | "Meter.Read" | "Meter.Write" | "Statistics.Read" | "Webhooks.Read" | "Webhooks.Write";
        /**
         * @description What holds a seat: nothing, a live session, an activated device, or the bound machine.
         * @example None
         * @enum {string}
         */
        SeatKind: "None" | "Session" | "Device" | "Machine";
        /**
         * @example {
         *       "appVersion": "2.4.1",
         *       "connectedAt": "2026-11-22T09:30:00Z",
         *       "deviceName": "Workstation 7",
         *       "endReason": "Disconnected",
         *       "endedAt": "2026-11-22T09:30:00Z",
         *       "expiresAt": "2026-11-22T09:30:00Z",
         *       "hardwareId": "8c1f0a77e2b94d55",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "instanceId": "editor-1",
         *       "lastHeartbeatAt": "2026-11-22T09:30:00Z",
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "status": "Live"
         *     }
         */
        SeatSession: {
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
        /**
         * @example {
         *       "items": [
         *         {
         *           "appVersion": "2.4.1",
         *           "connectedAt": "2026-11-22T09:30:00Z",
         *           "deviceName": "Workstation 7",
         *           "endReason": "Disconnected",
         *           "endedAt": "2026-11-22T09:30:00Z",
         *           "expiresAt": "2026-11-22T09:30:00Z",
         *           "hardwareId": "8c1f0a77e2b94d55",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "instanceId": "editor-1",
         *           "lastHeartbeatAt": "2026-11-22T09:30:00Z",
         *           "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "status": "Live"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        SeatSessionList: {
            items: components["schemas"]["SeatSession"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "held": true,
         *       "kind": "None",
         *       "total": 1,
         *       "used": 1
         *     }
         */
        SeatState: {
            held: boolean | null;
            kind: components["schemas"]["SeatKind"];
            total: number | null;
            used: number | null;
        };
        /**
         * @example {
         *       "otpCode": "123456"
         *     }
         */
        SecondFactorProof: {
            otpCode?: string | null;
        };
        /**
         * @example {
         *       "date": "2026-11-22",
         *       "ended": 1,
         *       "limitReached": 1,
         *       "started": 1
         *     }
         */
        SessionDay: {
            /** Format: date */
            date: string;
            ended: number;
            limitReached: number;
            started: number;
        };
        /**
         * @example {
         *       "sessionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *     }
         */
        SessionRequest: {
            /** Format: uuid */
            sessionId: string;
        };
        /**
         * @example {
         *       "dailyTrend": [
         *         {
         *           "date": "2026-11-22",
         *           "ended": 1,
         *           "limitReached": 1,
         *           "started": 1
         *         }
         *       ],
         *       "ended": 1,
         *       "from": "2026-11-22T09:30:00Z",
         *       "limitReached": 1,
         *       "live": 1,
         *       "started": 1,
         *       "to": "2026-11-22T09:30:00Z",
         *       "topLicenses": [
         *         {
         *           "count": 1,
         *           "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "licenseName": "Studio Berlin",
         *           "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "seatsTotal": 5,
         *           "type": "Concurrent"
         *         }
         *       ]
         *     }
         */
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
         * @description Whether a session is live.
         * @default Live
         * @example Live
         * @enum {string}
         */
        SessionStatus: "Live" | "Ended";
        /**
         * @example {
         *       "required": true,
         *       "session": true,
         *       "signUp": "Open"
         *     }
         */
        Setup: {
            required: boolean;
            session: boolean;
            signUp: components["schemas"]["SignUp"];
        };
        /**
         * @example {
         *       "email": "customer@example.com",
         *       "fullName": "Ada Example",
         *       "institutionName": "Example Software",
         *       "password": "correct horse battery",
         *       "setupToken": "st_5Rk2"
         *     }
         */
        SetupRequest: {
            email: string;
            fullName: string;
            institutionName: string;
            password: string;
            setupToken: string;
        };
        /**
         * @example {
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "current": true,
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "ipAddress": "203.0.113.9",
         *       "lastUsedAt": "2026-11-22T09:30:00Z",
         *       "userAgent": "Mozilla/5.0 (X11; Linux x86_64)"
         *     }
         */
        SignIn: {
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
         * @example {
         *       "algorithm": "RS256",
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "keySize": 3072,
         *       "kid": "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"
         *     }
         */
        SigningKey: {
            algorithm: string;
            /** Format: date-time */
            createdAt: string;
            keySize: number;
            kid: string;
        };
        /**
         * @example {
         *       "algorithm": "RS256",
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "exists": true,
         *       "generation": 1,
         *       "keySize": 3072,
         *       "kid": "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
         *       "rotatedAt": "2026-11-22T09:30:00Z"
         *     }
         */
        SigningKeyStatus: {
            algorithm?: string | null;
            createdAt?: string | null;
            exists: boolean;
            /** @default 0 */
            generation: number;
            keySize?: number | null;
            kid?: string | null;
            rotatedAt?: string | null;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "current": true,
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "ipAddress": "203.0.113.9",
         *           "lastUsedAt": "2026-11-22T09:30:00Z",
         *           "userAgent": "Mozilla/5.0 (X11; Linux x86_64)"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        SignInList: {
            items: components["schemas"]["SignIn"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @description Whether people may create accounts for themselves.
         * @example Open
         * @enum {string}
         */
        SignUp: "Open" | "Closed";
        /**
         * @example {
         *       "authenticatedAt": "2026-11-22T09:30:00Z",
         *       "expiresAt": "2026-11-22T09:30:00Z",
         *       "methods": [
         *         "Password"
         *       ]
         *     }
         */
        StepUp: {
            /** Format: date-time */
            authenticatedAt: string;
            /** Format: date-time */
            expiresAt: string;
            methods: components["schemas"]["ProofMethod"][];
        };
        /**
         * @example {
         *       "otpCode": "123456",
         *       "password": "correct horse battery"
         *     }
         */
        StepUpRequest: {
            otpCode?: string | null;
            password?: string | null;
        };
        /**
         * @example {
         *       "date": "2026-11-22",
         *       "devices": 1,
         *       "events": 1
         *     }
         */
        TelemetryDay: {
            /** Format: date */
            date: string;
            devices: number;
            events: number;
        };
        /**
         * @example {
         *       "device": "Firefox on Linux",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "name": "Aurora",
         *       "occurredAt": "2026-11-22T09:30:00Z",
         *       "properties": {
         *         "scale": 1.5,
         *         "theme": "dark"
         *       },
         *       "receivedAt": "2026-11-22T09:30:00Z"
         *     }
         */
        TelemetryEvent: {
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
        /**
         * @example {
         *       "items": [
         *         {
         *           "device": "Firefox on Linux",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "name": "Aurora",
         *           "occurredAt": "2026-11-22T09:30:00Z",
         *           "properties": {
         *             "scale": 1.5,
         *             "theme": "dark"
         *           },
         *           "receivedAt": "2026-11-22T09:30:00Z"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        TelemetryEventList: {
            items: components["schemas"]["TelemetryEvent"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "name": "Aurora",
         *       "occurredAt": "2026-11-22T09:30:00Z",
         *       "properties": {
         *         "scale": 1.5,
         *         "theme": "dark"
         *       }
         *     }
         */
        TelemetryEventRequest: {
            name: string;
            /** Format: date-time */
            occurredAt: string;
            properties?: {
                [key: string]: string | boolean | number;
            } | null;
        };
        /**
         * @example {
         *       "devices": 1,
         *       "events": 1,
         *       "name": "Aurora"
         *     }
         */
        TelemetryName: {
            devices: number;
            events: number;
            name: string;
        };
        /**
         * @example {
         *       "events": [
         *         {
         *           "name": "Aurora",
         *           "occurredAt": "2026-11-22T09:30:00Z",
         *           "properties": {
         *             "scale": 1.5,
         *             "theme": "dark"
         *           }
         *         }
         *       ],
         *       "hardwareId": "8c1f0a77e2b94d55",
         *       "licenseKey": "7Q2KD-M4XWB-9TC0Z-H3RVN-5EJ8A",
         *       "password": "correct horse battery",
         *       "username": "studio"
         *     }
         */
        TelemetryRequest: {
            events: components["schemas"]["TelemetryEventRequest"][];
            hardwareId?: string | null;
            licenseKey?: string | null;
            password?: string | null;
            username?: string | null;
        };
        /**
         * @example {
         *       "accepted": 1
         *     }
         */
        TelemetryResponse: {
            accepted: number;
        };
        /**
         * @example {
         *       "dailyTrend": [
         *         {
         *           "date": "2026-11-22",
         *           "devices": 1,
         *           "events": 1
         *         }
         *       ],
         *       "devices": 1,
         *       "dropped": 1,
         *       "events": 1,
         *       "from": "2026-11-22T09:30:00Z",
         *       "licenses": 1,
         *       "to": "2026-11-22T09:30:00Z",
         *       "topNames": [
         *         {
         *           "devices": 1,
         *           "events": 1,
         *           "name": "Aurora"
         *         }
         *       ]
         *     }
         */
        TelemetryStatistics: {
            dailyTrend: components["schemas"]["TelemetryDay"][];
            devices: number;
            dropped: number;
            events: number;
            /** Format: date-time */
            from: string;
            licenses: number;
            /** Format: date-time */
            to: string;
            topNames: components["schemas"]["TelemetryName"][];
        };
        /**
         * @example {
         *       "token": "eyJhbGciOiJSUzI1NiIsInR5cCI6InZlcmRpY3Qrand0In0.eyJ2YWxpZCI6dHJ1ZX0.c2ln"
         *     }
         */
        TokenRequest: {
            token: string;
        };
        /**
         * @example {
         *       "count": 1,
         *       "licenseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "licenseName": "Studio Berlin",
         *       "productId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "seatsTotal": 5,
         *       "type": "Concurrent"
         *     }
         */
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
        /**
         * @example {
         *       "unread": 1
         *     }
         */
        UnreadCount: {
            unread: number;
        };
        /**
         * @example {
         *       "downloadUrl": "https://licenses.example.com/api/downloads/dl_7Yt2",
         *       "name": "Aurora",
         *       "platform": "linux-x64",
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "sizeBytes": 48211934
         *     }
         */
        UpdateFile: {
            downloadUrl: string;
            name: string;
            platform: string | null;
            sha256: string;
            sizeBytes: number;
        };
        /**
         * @example {
         *       "channel": "Stable",
         *       "files": [
         *         {
         *           "downloadUrl": "https://licenses.example.com/api/downloads/dl_7Yt2",
         *           "name": "Aurora",
         *           "platform": "linux-x64",
         *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *           "sizeBytes": 48211934
         *         }
         *       ],
         *       "notes": "Paid by invoice.",
         *       "publishedAt": "2026-11-22T09:30:00Z",
         *       "releaseId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "token": "eyJhbGciOiJSUzI1NiIsInR5cCI6InZlcmRpY3Qrand0In0.eyJ2YWxpZCI6dHJ1ZX0.c2ln",
         *       "updateAvailable": true,
         *       "version": "2.4.1"
         *     }
         */
        UpdateResponse: {
            channel: string;
            files: components["schemas"]["UpdateFile"][];
            notes: string | null;
            publishedAt: string | null;
            releaseId: string | null;
            token: string | null;
            updateAvailable: boolean;
            version: string | null;
        };
        /**
         * @example {
         *       "upgrade": {
         *         "notesUrl": "text",
         *         "releasedAt": "2026-11-22T09:30:00Z",
         *         "version": "2.4.1"
         *       }
         *     }
         */
        Upgrade: {
            upgrade: components["schemas"]["Version"] | null;
        };
        /**
         * @example {
         *       "email": "customer@example.com",
         *       "emailVerified": true,
         *       "fullName": "Ada Example",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "isSystemAdmin": true,
         *       "memberships": [
         *         {
         *           "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "institutionName": "Example Software",
         *           "role": "Owner"
         *         }
         *       ],
         *       "totpEnabled": true
         *     }
         */
        User: {
            email: string;
            emailVerified: boolean;
            fullName: string;
            /** Format: uuid */
            id: string;
            isSystemAdmin: boolean;
            memberships: components["schemas"]["Membership"][];
            totpEnabled: boolean;
        };
        /**
         * @example {
         *       "accessToken": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk3In0.c2ln",
         *       "expiresIn": 900,
         *       "tokenType": "Bearer",
         *       "user": {
         *         "email": "customer@example.com",
         *         "emailVerified": true,
         *         "fullName": "Ada Example",
         *         "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *         "isSystemAdmin": true,
         *         "memberships": [
         *           {
         *             "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *             "institutionName": "Example Software",
         *             "role": "Owner"
         *           }
         *         ],
         *         "totpEnabled": true
         *       }
         *     }
         */
        UserSession: {
            accessToken: string;
            expiresIn: number;
            tokenType: string;
            user: components["schemas"]["User"];
        };
        /**
         * @example {
         *       "activationMode": "Online",
         *       "entitlements": {
         *         "batch-render": true,
         *         "export-pdf": true
         *       },
         *       "expirationDate": "2026-11-22T09:30:00Z",
         *       "features": [
         *         "export-pdf",
         *         "batch-render"
         *       ],
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "issuedTo": "customer@example.com",
         *       "maxActiveUsersCount": 5,
         *       "metadata": {
         *         "crmId": "4711"
         *       },
         *       "name": "Aurora",
         *       "status": "Active",
         *       "type": "Concurrent"
         *     }
         */
        ValidatedLicense: {
            activationMode: components["schemas"]["ActivationMode"];
            entitlements: {
                [key: string]: boolean;
            } | null;
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
         * @example {
         *       "appVersion": "2.4.1",
         *       "deviceName": "Workstation 7",
         *       "hardwareId": "8c1f0a77e2b94d55",
         *       "licenseKey": "7Q2KD-M4XWB-9TC0Z-H3RVN-5EJ8A",
         *       "nonce": "5f2b8c",
         *       "password": "correct horse battery",
         *       "sessionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "signed": true,
         *       "username": "studio"
         *     }
         */
        ValidateRequest: {
            appVersion?: string | null;
            deviceName?: string | null;
            hardwareId?: string | null;
            licenseKey: string;
            nonce?: string | null;
            password?: string | null;
            sessionId?: string | null;
            /** @default false */
            signed: boolean;
            username?: string | null;
        };
        /**
         * @example {
         *       "activation": {
         *         "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *         "status": "Active"
         *       },
         *       "license": {
         *         "activationMode": "Online",
         *         "entitlements": {
         *           "batch-render": true,
         *           "export-pdf": true
         *         },
         *         "expirationDate": "2026-11-22T09:30:00Z",
         *         "features": [
         *           "export-pdf",
         *           "batch-render"
         *         ],
         *         "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *         "issuedTo": "customer@example.com",
         *         "maxActiveUsersCount": 5,
         *         "metadata": {
         *           "crmId": "4711"
         *         },
         *         "name": "Aurora",
         *         "status": "Active",
         *         "type": "Concurrent"
         *       },
         *       "message": "The license is valid.",
         *       "nonce": "5f2b8c",
         *       "requestId": "text",
         *       "seat": {
         *         "held": true,
         *         "kind": "None",
         *         "total": 1,
         *         "used": 1
         *       },
         *       "serverTime": "2026-11-22T09:30:00Z",
         *       "status": "Valid",
         *       "token": "eyJhbGciOiJSUzI1NiIsInR5cCI6InZlcmRpY3Qrand0In0.eyJ2YWxpZCI6dHJ1ZX0.c2ln",
         *       "valid": true
         *     }
         */
        ValidateResponse: {
            activation: components["schemas"]["ActivationState"] | null;
            license: components["schemas"]["ValidatedLicense"] | null;
            message: string;
            nonce: string | null;
            requestId: string;
            seat: components["schemas"]["SeatState"] | null;
            /** Format: date-time */
            serverTime: string;
            status: components["schemas"]["ValidationStatus"];
            token?: string;
            valid: boolean;
        };
        /**
         * @description The stable codes of a verdict; an SDK shows them and programs branch on them.
         * @example Valid
         * @enum {string}
         */
        ValidationStatus: "Valid" | "LicenseNotFound" | "Expired" | "Revoked" | "Suspended" | "HardwareIdRequired" | "HardwareMismatch" | "PendingApproval" | "DeviceBlocked" | "CredentialsRequired" | "CredentialsInvalid" | "ActivationRequired" | "ReleaseNotAllowed";
        /**
         * @example {
         *       "notesUrl": "text",
         *       "releasedAt": "2026-11-22T09:30:00Z",
         *       "version": "2.4.1"
         *     }
         */
        Version: {
            notesUrl: string;
            releasedAt: string | null;
            version: string;
        };
        /**
         * @example {
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "description": "Used by the nightly build.",
         *       "disabledAt": "2026-11-22T09:30:00Z",
         *       "disabledReason": "Gone",
         *       "enabled": true,
         *       "eventTypes": [
         *         "license.*"
         *       ],
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "lastDeliveryAt": "2026-11-22T09:30:00Z",
         *       "lastStatus": "Pending",
         *       "updatedAt": "2026-11-22T09:30:00Z",
         *       "url": "https://hooks.example.com/licet"
         *     }
         */
        Webhook: {
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
            lastStatus: components["schemas"]["WebhookDeliveryStatus"] | null;
            /** Format: date-time */
            updatedAt: string;
            url: string;
        };
        /**
         * @example {
         *       "description": "Used by the nightly build.",
         *       "enabled": true,
         *       "eventTypes": [
         *         "license.*"
         *       ],
         *       "url": "https://hooks.example.com/licet"
         *     }
         */
        WebhookChange: {
            description?: string | null;
            enabled?: boolean;
            eventTypes?: components["schemas"]["WebhookEventType"][];
            url?: string;
        };
        /**
         * @example {
         *       "attempts": 1,
         *       "createdAt": "2026-11-22T09:30:00Z",
         *       "deliveredAt": "2026-11-22T09:30:00Z",
         *       "durationMs": 1,
         *       "eventId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "eventType": "license.created",
         *       "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "lastError": null,
         *       "lastResponseBody": "ok",
         *       "lastResponseStatus": 200,
         *       "nextAttemptAt": "2026-11-22T09:30:00Z",
         *       "payload": {
         *         "data": {},
         *         "timestamp": "2026-11-22T09:30:00Z",
         *         "type": "license.created"
         *       },
         *       "status": "Pending",
         *       "webhookId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *     }
         */
        WebhookDelivery: {
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
            status: components["schemas"]["WebhookDeliveryStatus"];
            /** Format: uuid */
            webhookId: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "attempts": 1,
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "deliveredAt": "2026-11-22T09:30:00Z",
         *           "durationMs": 1,
         *           "eventId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "eventType": "license.created",
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "lastError": null,
         *           "lastResponseBody": "ok",
         *           "lastResponseStatus": 200,
         *           "nextAttemptAt": "2026-11-22T09:30:00Z",
         *           "payload": {
         *             "data": {},
         *             "timestamp": "2026-11-22T09:30:00Z",
         *             "type": "license.created"
         *           },
         *           "status": "Pending",
         *           "webhookId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        WebhookDeliveryList: {
            items: components["schemas"]["WebhookDelivery"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @description The status of a delivery.
         * @example Pending
         * @enum {string}
         */
        WebhookDeliveryStatus: "Pending" | "Delivered" | "Failed";
        /**
         * @description A kind of event, a family of kinds such as `license.*`, or `*`.
         * @example *
         * @enum {string}
         */
        WebhookEventType: "*" | "access_attempt.*" | "access_attempt.detected" | "activation.*" | "activation.approved" | "activation.blocked" | "activation.created" | "activation.deleted" | "activation.limit_reached" | "activation.pending" | "activation.unblocked" | "association.*" | "association.accepted" | "association.invited" | "association.removed" | "license.*" | "license.converted" | "license.created" | "license.deleted" | "license.expired" | "license.expiring" | "license.reinstated" | "license.renewed" | "license.revoked" | "license.suspended" | "license.updated" | "member.*" | "member.invited" | "member.joined" | "member.removed" | "meter.*" | "meter.adjusted" | "meter.depleted" | "meter.granted" | "meter.low_balance" | "product.*" | "product.keys_rotated" | "release.*" | "release.published" | "session.*" | "session.ended" | "session.limit_reached" | "session.started" | "webhook.*" | "webhook.test";
        /**
         * @example {
         *       "items": [
         *         {
         *           "createdAt": "2026-11-22T09:30:00Z",
         *           "description": "Used by the nightly build.",
         *           "disabledAt": "2026-11-22T09:30:00Z",
         *           "disabledReason": "Gone",
         *           "enabled": true,
         *           "eventTypes": [
         *             "license.*"
         *           ],
         *           "id": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *           "lastDeliveryAt": "2026-11-22T09:30:00Z",
         *           "lastStatus": "Pending",
         *           "updatedAt": "2026-11-22T09:30:00Z",
         *           "url": "https://hooks.example.com/licet"
         *         }
         *       ],
         *       "nextAfter": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "page": 1,
         *       "pageSize": 25,
         *       "totalCount": 137,
         *       "totalCountCapped": false
         *     }
         */
        WebhookList: {
            items: components["schemas"]["Webhook"][];
            nextAfter?: string | null;
            page?: number;
            pageSize?: number;
            totalCount?: number;
            totalCountCapped?: boolean;
        };
        /**
         * @example {
         *       "description": "Used by the nightly build.",
         *       "enabled": true,
         *       "eventTypes": [
         *         "license.*"
         *       ],
         *       "institutionId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
         *       "url": "https://hooks.example.com/licet"
         *     }
         */
        WebhookRequest: {
            description?: string | null;
            /** @default true */
            enabled: boolean;
            eventTypes: components["schemas"]["WebhookEventType"][];
            institutionId?: string | null;
            url: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Requests that the limit allows in its period. */
        "RateLimit-Limit": number;
        /** @description Requests that are left in the period. */
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
                "application/json": components["schemas"]["ActivateRequest"];
            };
        };
        responses: {
            /** @description The device is activated already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivateResponse"];
                };
            };
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivateResponse"];
                };
            };
            /** @description The device is pending approval. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivateResponse"];
                };
            };
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `LicenseInvalid`: The license is revoked or suspended.
             *
             *     `LicenseExpired`: The term of the license has ended.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Unauthorized`: The credential is missing, malformed, expired or revoked.
             *
             *     `InvalidCredentials`: The e-mail address, username or password is wrong.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `DeviceBlocked`: The vendor blocked this device. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `LicenseNotFound`: No license of this product has this key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MaxActivationsReached`: All seats are taken; `seatsUsed` and `seatsTotal` tell. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Activation"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Conflict`: A unique name is taken, or the state does not allow the action.
             *
             *     `MaxActivationsReached`: All seats are taken; `seatsUsed` and `seatsTotal` tell.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Activation"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeactivateDeviceRequest"] | null;
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activation"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Activation"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            header?: {
                /** @description UTF-8. */
                "X-License-Password"?: string | null;
                /** @description For licenses with a user name and a password; UTF-8. */
                "X-License-Username"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeactivateRequest"] | null;
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Unauthorized`: The credential is missing, malformed, expired or revoked.
             *
             *     `InvalidCredentials`: The e-mail address, username or password is wrong.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `DeviceBlocked`: The vendor blocked this device. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `LicenseNotFound`: No license of this product has this key.
             *
             *     `ActivationNotFound`: This device holds no seat.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["ApiKeyRequest"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKey"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `StepUpRequired`: Hard to undo; `POST /api/auth/step-up` first, and try again.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["IssuedApiKey"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `StepUpRequired`: Hard to undo; `POST /api/auth/step-up` first, and try again.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listReceivedAssociations: {
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
                    "application/json": components["schemas"]["ReceivedAssociationList"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acceptAssociation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptAssociationRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivedAssociation"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewAssociation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssociationPreview"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showInstanceAuditLog: {
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
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["AcceptInvitationRequest"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSession"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationPreview"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSession"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `InvalidCredentials`: The e-mail address, username or password is wrong.
             *
             *     `OtpRequired`: A code of the second factor is needed.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Unauthorized`: The credential is missing, malformed, expired or revoked.
             *
             *     `InvalidCredentials`: The e-mail address, username or password is wrong.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["PasswordResetRequest"];
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["ResetPasswordRequest"];
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordResetPreview"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["UserSession"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["RegisterRequest"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSession"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Setup"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["SetupRequest"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSession"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stepUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StepUpRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StepUp"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Unauthorized`: The credential is missing, malformed, expired or revoked.
             *
             *     `InvalidCredentials`: The e-mail address, username or password is wrong.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["OfferedFactor"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `StepUpRequired`: Hard to undo; `POST /api/auth/step-up` first, and try again.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["SecondFactorProof"] | null;
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Unauthorized`: The credential is missing, malformed, expired or revoked.
             *
             *     `InvalidCredentials`: The e-mail address, username or password is wrong.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `StepUpRequired`: Hard to undo; `POST /api/auth/step-up` first, and try again.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["OtpRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Unauthorized`: The credential is missing, malformed, expired or revoked.
             *
             *     `InvalidCredentials`: The e-mail address, username or password is wrong.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `StepUpRequired`: Hard to undo; `POST /api/auth/step-up` first, and try again.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["SecondFactorProof"] | null;
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Unauthorized`: The credential is missing, malformed, expired or revoked.
             *
             *     `InvalidCredentials`: The e-mail address, username or password is wrong.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `StepUpRequired`: Hard to undo; `POST /api/auth/step-up` first, and try again.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["TokenRequest"];
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RangeNotSatisfiable`: The requested range lies outside the file. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["EntitlementSet"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Feature"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["InstitutionRequest"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Institution"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Institution"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Institution"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `StepUpRequired`: Hard to undo; `POST /api/auth/step-up` first, and try again.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["InvitationRequest"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `StepUpRequired`: Hard to undo; `POST /api/auth/step-up` first, and try again.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `StepUpRequired`: Hard to undo; `POST /api/auth/step-up` first, and try again.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `StepUpRequired`: Hard to undo; `POST /api/auth/step-up` first, and try again.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["PlanRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Institution"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["InstitutionSettings"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["InstitutionSettings"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["IssueLicenseRequest"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["License"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PlanLimitReached`: The plan of the institution allows no more. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Conflict`: A unique name is taken, or the state does not allow the action.
             *
             *     `KeysNotGenerated`: The product has no RSA keys yet; generate them first.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `IdempotencyKeyReused`: The idempotency key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["License"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["License"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["AccessAttempt"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["ConvertLicenseRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["License"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showLicenseCounts: {
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
                    "application/json": components["schemas"]["LicenseCounts"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["ExplainLicenseRequest"] | null;
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Conflict`: A unique name is taken, or the state does not allow the action.
             *
             *     `KeysNotGenerated`: The product has no RSA keys yet; generate them first.
             *
             *     `MaxActivationsReached`: All seats are taken; `seatsUsed` and `seatsTotal` tell.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `NotMeteredLicense`: The license is neither Usage-Based nor Credit-Based.
             *
             *     `WalletNotFound`: The metered license has lost its wallet; repair it.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["License"];
                };
            };
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `NotMeteredLicense`: The license is neither Usage-Based nor Credit-Based.
             *
             *     `WalletNotFound`: The metered license has lost its wallet; repair it.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["License"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["ReasonRequest"] | null;
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["License"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["ReasonRequest"] | null;
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["License"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeLicenses: {
        parameters: {
            query?: {
                /** @description Only tell what would be done. */
                dryRun?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkLicensesRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkLicensesResponse"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshResponse"];
                };
            };
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `LicenseInvalid`: The license is revoked or suspended.
             *
             *     `LicenseExpired`: The term of the license has ended.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Unauthorized`: The credential is missing, malformed, expired or revoked.
             *
             *     `InvalidCredentials`: The e-mail address, username or password is wrong.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `DeviceBlocked`: The vendor blocked this device.
             *
             *     `HardwareMismatch`: The license is bound to another machine.
             *
             *     `PendingApproval`: The product owner has not approved this device yet.
             *
             *     `ActivationRequired`: This device holds no seat; activate it first.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `LicenseNotFound`: No license of this product has this key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Conflict`: A unique name is taken, or the state does not allow the action.
             *
             *     `KeysNotGenerated`: The product has no RSA keys yet; generate them first.
             *
             *     `MaxActivationsReached`: All seats are taken; `seatsUsed` and `seatsTotal` tell.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["ValidateRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidateResponse"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `KeysNotGenerated`: The product has no RSA keys yet; generate them first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["AdjustBalanceRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceChangeResponse"];
                };
            };
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `NotMeteredLicense`: The license is neither Usage-Based nor Credit-Based.
             *
             *     `WalletNotFound`: The metered license has lost its wallet; repair it.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `IdempotencyKeyReused`: The idempotency key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                hardwareId?: string | null;
                licenseKey: string;
            };
            header?: {
                /** @description UTF-8. */
                "X-License-Password"?: string | null;
                /** @description For licenses with a user name and a password; UTF-8. */
                "X-License-Username"?: string | null;
            };
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
                    "application/json": components["schemas"]["BalanceResponse"];
                };
            };
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `NotMeteredLicense`: The license is neither Usage-Based nor Credit-Based.
             *
             *     `WalletNotFound`: The metered license has lost its wallet; repair it.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Unauthorized`: The credential is missing, malformed, expired or revoked.
             *
             *     `InvalidCredentials`: The e-mail address, username or password is wrong.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `DeviceBlocked`: The vendor blocked this device. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `LicenseNotFound`: No license of this product has this key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["BalanceResponse"];
                };
            };
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `NotMeteredLicense`: The license is neither Usage-Based nor Credit-Based.
             *
             *     `WalletNotFound`: The metered license has lost its wallet; repair it.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["ConsumeRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsumeResponse"];
                };
            };
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `LicenseInvalid`: The license is revoked or suspended.
             *
             *     `NotMeteredLicense`: The license is neither Usage-Based nor Credit-Based.
             *
             *     `WalletNotFound`: The metered license has lost its wallet; repair it.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Unauthorized`: The credential is missing, malformed, expired or revoked.
             *
             *     `InvalidCredentials`: The e-mail address, username or password is wrong.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `InsufficientBalance`: The balance is lower than the cost; nothing was charged. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `DeviceBlocked`: The vendor blocked this device.
             *
             *     `FeatureNotEntitled`: The license does not include this feature.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `LicenseNotFound`: No license of this product has this key.
             *
             *     `ActivationNotFound`: This device holds no seat.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `ConcurrencyConflict`: Another request came first; retry with the same key. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `IdempotencyKeyReused`: The idempotency key was used for another request.
             *
             *     `PricingNotConfigured`: The feature has no active token price.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["FeaturePriceRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeaturePrice"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["GrantBalanceRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceChangeResponse"];
                };
            };
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `NotMeteredLicense`: The license is neither Usage-Based nor Credit-Based.
             *
             *     `WalletNotFound`: The metered license has lost its wallet; repair it.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `IdempotencyKeyReused`: The idempotency key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["ReconcileRequest"] | null;
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconcileResponse"];
                };
            };
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `NotMeteredLicense`: The license is neither Usage-Based nor Credit-Based.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Notification"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Preferences"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Preferences"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["UnreadCount"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["UnreadCount"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["PortalAccessRequest"];
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["ConfirmAccessRequest"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSession"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["PortalLicense"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `DeviceBlocked`: The vendor blocked this device.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["BalanceResponse"];
                };
            };
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `NotMeteredLicense`: The license is neither Usage-Based nor Credit-Based.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `LicenseInvalid`: The license is revoked or suspended.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `DeviceBlocked`: The vendor blocked this device.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Conflict`: A unique name is taken, or the state does not allow the action.
             *
             *     `KeysNotGenerated`: The product has no RSA keys yet; generate them first.
             *
             *     `MaxActivationsReached`: All seats are taken; `seatsUsed` and `seatsTotal` tell.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["ProductRequest"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PlanLimitReached`: The plan of the institution allows no more. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Product"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Product"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `StepUpRequired`: Hard to undo; `POST /api/auth/step-up` first, and try again.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAssociations: {
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
                    "application/json": components["schemas"]["AssociationList"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    inviteInstitution: {
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
                "application/json": components["schemas"]["AssociationRequest"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Association"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeAssociation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                associationId: string;
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resendAssociation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                associationId: string;
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
                    "application/json": components["schemas"]["Association"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Credentials"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `StepUpRequired`: Hard to undo; `POST /api/auth/step-up` first, and try again.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["RotateProductKeyRequest"] | null;
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credentials"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `StepUpRequired`: Hard to undo; `POST /api/auth/step-up` first, and try again.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["EntitlementSetRequest"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntitlementSet"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["FeatureRequest"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feature"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description The content, sent as `image/*`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["GenerateSigningKeyRequest"] | null;
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningKey"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `StepUpRequired`: Hard to undo; `POST /api/auth/step-up` first, and try again.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["PublicKey"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `KeysNotGenerated`: The product has no RSA keys yet; generate them first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description The content, sent as `application/x-pem-file`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `KeysNotGenerated`: The product has no RSA keys yet; generate them first. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["SigningKeyStatus"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["ReleaseRequest"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Release"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listReceived: {
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
                    "application/json": components["schemas"]["ReceivedLicenseList"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showReceived: {
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
                    "application/json": components["schemas"]["ReceivedLicense"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listReceivedActivations: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    freeReceivedActivation: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `DeviceBlocked`: The vendor blocked this device.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showReceivedWallet: {
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
                    "application/json": components["schemas"]["BalanceResponse"];
                };
            };
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `NotMeteredLicense`: The license is neither Usage-Based nor Credit-Based.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    downloadReceivedFile: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `DeviceBlocked`: The vendor blocked this device.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Conflict`: A unique name is taken, or the state does not allow the action.
             *
             *     `KeysNotGenerated`: The product has no RSA keys yet; generate them first.
             *
             *     `MaxActivationsReached`: All seats are taken; `seatsUsed` and `seatsTotal` tell.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listReceivedSessions: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Release"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Release"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["ReleaseFile"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RangeNotSatisfiable`: The requested range lies outside the file. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["DeriveKeyRequest"];
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["SeatSession"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["ConnectRequest"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectResponse"];
                };
            };
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `LicenseInvalid`: The license is revoked or suspended.
             *
             *     `LicenseExpired`: The term of the license has ended.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Unauthorized`: The credential is missing, malformed, expired or revoked.
             *
             *     `InvalidCredentials`: The e-mail address, username or password is wrong.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `DeviceBlocked`: The vendor blocked this device.
             *
             *     `HardwareMismatch`: The license is bound to another machine.
             *
             *     `PendingApproval`: The product owner has not approved this device yet.
             *
             *     `ActivationRequired`: This device holds no seat; activate it first.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `LicenseNotFound`: No license of this product has this key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `MaxConcurrentSessionsReached`: All seats of the pool are in use. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["SessionRequest"];
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
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `LicenseInvalid`: The license is revoked or suspended.
             *
             *     `LicenseExpired`: The term of the license has ended.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `DeviceBlocked`: The vendor blocked this device. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `SessionNotFound`: The session has ended; connect again. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["SessionRequest"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeartbeatResponse"];
                };
            };
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `LicenseInvalid`: The license is revoked or suspended.
             *
             *     `LicenseExpired`: The term of the license has ended.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `DeviceBlocked`: The vendor blocked this device. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `SessionNotFound`: The session has ended; connect again. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["TelemetryRequest"];
            };
        };
        responses: {
            /** @description Request accepted, processing continues off-line */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TelemetryResponse"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Unauthorized`: The credential is missing, malformed, expired or revoked.
             *
             *     `InvalidCredentials`: The e-mail address, username or password is wrong.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `DeviceBlocked`: The vendor blocked this device. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `LicenseNotFound`: No license of this product has this key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                hardwareId?: string | null;
                licenseKey?: string | null;
                /** @description Without it, the files for all platforms are listed. */
                platform?: string;
            };
            header?: {
                /** @description UTF-8. */
                "X-License-Password"?: string | null;
                /** @description For licenses with a user name and a password; UTF-8. */
                "X-License-Username"?: string | null;
            };
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
                    "application/json": components["schemas"]["UpdateResponse"];
                };
            };
            /**
             * @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each.
             *
             *     `LicenseInvalid`: The license is revoked or suspended.
             *
             *     `LicenseExpired`: The term of the license has ended.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Unauthorized`: The credential is missing, malformed, expired or revoked.
             *
             *     `InvalidCredentials`: The e-mail address, username or password is wrong.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `DeviceBlocked`: The vendor blocked this device. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `LicenseNotFound`: No license of this product has this key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountChange"];
            };
        };
        responses: {
            /** @description Request fulfilled, document follows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endSessionsOfUser: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `Forbidden`: The role, scope or IP address does not allow it.
             *
             *     `StepUpRequired`: Hard to undo; `POST /api/auth/step-up` first, and try again.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showVersion: {
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
                    "application/json": components["schemas"]["Version"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showUpgrade: {
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
                    "application/json": components["schemas"]["Upgrade"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        responses: {
            /** @description Document created, URL follows */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedWebhook"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `PayloadTooLarge`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `UnsupportedMediaType`: The request body has another media type than expected. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                status?: components["schemas"]["WebhookDeliveryStatus"] | null;
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
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["IssuedWebhook"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
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
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description `InvalidRequest`: Malformed JSON, or a missing or bad field; `errors` names each. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unauthorized`: The credential is missing, malformed, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Forbidden`: The role, scope or IP address does not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `NotFound`: It does not exist, or is not visible to the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Conflict`: A unique name is taken, or the state does not allow the action. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `RateLimited`: Too many requests; retry after `Retry-After` seconds. */
            429: {
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
            /** @description `InternalError`: A fault of the server; report the request id if it persists. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `Unavailable`: Overloaded, starting, or the database is away; retry later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
