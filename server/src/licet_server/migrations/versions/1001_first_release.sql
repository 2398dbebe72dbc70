CREATE TABLE archive_heads (
    institution_id UUID NOT NULL,
    kind TEXT NOT NULL,
    number INTEGER NOT NULL,
    CONSTRAINT archive_heads_pkey PRIMARY KEY (institution_id, kind)
);

CREATE TABLE archives (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    kind TEXT NOT NULL,
    number INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    size BIGINT NOT NULL,
    sha256 BYTEA NOT NULL,
    first_at TIMESTAMP WITH TIME ZONE NOT NULL,
    last_at TIMESTAMP WITH TIME ZONE NOT NULL,
    first_number BIGINT,
    last_number BIGINT,
    replaced_id UUID,
    replaced_size BIGINT,
    CONSTRAINT archives_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT archives_institution_id_kind_number_key UNIQUE (institution_id, kind, number),
    CONSTRAINT archives_replaced_check CHECK ((replaced_id IS NULL) = (replaced_size IS NULL))
);

CREATE TABLE audit_chains (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    secret BYTEA NOT NULL,
    number BIGINT NOT NULL,
    seal BYTEA NOT NULL,
    mark BYTEA NOT NULL,
    sealed_at TIMESTAMP WITH TIME ZONE NOT NULL,
    anchored BIGINT DEFAULT 0 NOT NULL,
    CONSTRAINT audit_chains_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT audit_chains_institution_id_key UNIQUE (institution_id)
);

CREATE TABLE erasures (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    traces BYTEA NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT erasures_pkey PRIMARY KEY (institution_id, id)
);

CREATE TABLE event_days (
    institution_id UUID NOT NULL,
    day DATE NOT NULL,
    product_id UUID NOT NULL,
    kind TEXT NOT NULL,
    number BIGINT NOT NULL,
    CONSTRAINT event_days_pkey PRIMARY KEY (institution_id, day, product_id, kind)
);

CREATE TABLE events (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    kind TEXT NOT NULL,
    occurred_at TIMESTAMP WITH TIME ZONE NOT NULL,
    subject_id UUID NOT NULL,
    subject_name TEXT,
    license_id UUID,
    product_id UUID,
    data JSONB NOT NULL,
    changes JSONB,
    actor_kind TEXT NOT NULL,
    actor_id UUID,
    actor_name TEXT,
    ip_address TEXT,
    request_id TEXT,
    dispatched BOOLEAN DEFAULT false NOT NULL,
    permanent BOOLEAN DEFAULT true NOT NULL,
    seal_number BIGINT,
    seal BYTEA,
    salt BYTEA,
    erasure JSONB,
    CONSTRAINT events_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT events_seal_check CHECK ((seal_number IS NULL) = (seal IS NULL)),
    CONSTRAINT events_erasure_check CHECK (salt IS NULL OR erasure IS NULL),
    CONSTRAINT events_permanent_check CHECK (permanent OR seal_number IS NULL)
)
    WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000);
CREATE INDEX events_kind_idx ON events (institution_id, kind, occurred_at);
CREATE INDEX events_license_idx ON events (institution_id, license_id, id) WHERE license_id IS NOT NULL;
CREATE INDEX events_product_idx ON events (institution_id, product_id, occurred_at, id) WHERE product_id IS NOT NULL;
CREATE UNIQUE INDEX events_seal_key ON events (institution_id, seal_number) WHERE seal_number IS NOT NULL;
CREATE INDEX events_subject_idx ON events (institution_id, subject_id, id);
CREATE INDEX events_transient_idx ON events (institution_id, license_id, occurred_at) WHERE NOT permanent;
CREATE INDEX events_undispatched_idx ON events (id) WHERE NOT dispatched;
CREATE INDEX events_unsealed_idx ON events (institution_id, id) WHERE seal_number IS NULL AND permanent;

CREATE UNLOGGED TABLE held_places (
    bucket TEXT NOT NULL,
    number INTEGER NOT NULL,
    holder UUID NOT NULL,
    held_until TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT held_places_pkey PRIMARY KEY (bucket, number)
);
CREATE INDEX held_places_held_until_idx ON held_places (held_until);
CREATE INDEX held_places_holder_idx ON held_places (holder);

CREATE TABLE idempotency_records (
    caller TEXT NOT NULL,
    route TEXT NOT NULL,
    key TEXT NOT NULL,
    body_hash BYTEA NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    status INTEGER,
    answer BYTEA,
    CONSTRAINT idempotency_records_pkey PRIMARY KEY (caller, route, key)
);
CREATE INDEX idempotency_records_created_at_idx ON idempotency_records (created_at);

CREATE TABLE institutions (
    id UUID NOT NULL,
    name TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    plan TEXT DEFAULT 'Unlimited' NOT NULL,
    products_limit INTEGER,
    licenses_limit INTEGER,
    ip_allow_list JSONB DEFAULT '[]' NOT NULL,
    expiry_reminder_days JSONB DEFAULT '[30, 7, 1]' NOT NULL,
    telemetry_retention_days INTEGER DEFAULT 90 NOT NULL,
    time_zone TEXT DEFAULT 'UTC' NOT NULL,
    sso_enforced BOOLEAN DEFAULT false NOT NULL,
    second_factor_required BOOLEAN DEFAULT false NOT NULL,
    CONSTRAINT institutions_pkey PRIMARY KEY (id),
    CONSTRAINT institutions_plan_check CHECK (plan IN ('Free', 'Pro', 'Unlimited')),
    CONSTRAINT institutions_products_limit_check CHECK (products_limit >= 0),
    CONSTRAINT institutions_licenses_limit_check CHECK (licenses_limit >= 0),
    CONSTRAINT institutions_telemetry_retention_days_check CHECK (telemetry_retention_days BETWEEN 1 AND 3650)
);

CREATE TABLE mails (
    id UUID NOT NULL,
    vendor_id UUID,
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    paragraphs BYTEA,
    status TEXT NOT NULL,
    attempts INTEGER DEFAULT 0 NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    due_at TIMESTAMP WITH TIME ZONE NOT NULL,
    sent_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT mails_pkey PRIMARY KEY (id),
    CONSTRAINT mails_status_check CHECK (status IN ('Waiting', 'Sent', 'Failed'))
);
CREATE INDEX mails_created_at_idx ON mails (created_at);
CREATE INDEX mails_due_idx ON mails (due_at) WHERE status = 'Waiting';

CREATE TABLE master_key_canary (
    is_only_row BOOLEAN DEFAULT true NOT NULL,
    sealed BYTEA NOT NULL,
    CONSTRAINT master_key_canary_pkey PRIMARY KEY (is_only_row),
    CONSTRAINT master_key_canary_is_only_row_check CHECK (is_only_row)
);

CREATE TABLE meter_entries (
    institution_id UUID NOT NULL,
    license_id UUID NOT NULL,
    id UUID NOT NULL,
    sequence BIGINT,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    activation_id UUID,
    quantity BIGINT,
    type TEXT NOT NULL,
    amount NUMERIC(24, 6) NOT NULL,
    balance_after NUMERIC(24, 6) NOT NULL,
    unit_price NUMERIC(24, 6),
    feature_name TEXT,
    idempotency_key TEXT,
    reason TEXT,
    external_reference TEXT,
    lease_id UUID,
    CONSTRAINT meter_entries_pkey PRIMARY KEY (institution_id, license_id, id),
    CONSTRAINT meter_entries_balance_after_check CHECK (balance_after >= 0),
    CONSTRAINT meter_entries_amount_check CHECK (CASE type WHEN 'Consume' THEN amount <= 0 WHEN 'Adjust' THEN amount <> 0 WHEN 'LeaseHold' THEN amount < 0 WHEN 'LeaseCharge' THEN amount < 0 ELSE amount > 0 END),
    CONSTRAINT meter_entries_type_check CHECK (type IN ('InitialGrant', 'Consume', 'AdminGrant', 'Adjust', 'LeaseHold', 'LeaseSettle', 'LeaseCharge') AND (type = 'Consume') = (feature_name IS NOT NULL AND quantity IS NOT NULL)),
    CONSTRAINT meter_entries_refusal_check CHECK (sequence IS NOT NULL OR (type = 'Consume' AND amount = 0)),
    CONSTRAINT meter_entries_lease_check CHECK (CASE WHEN type LIKE 'Lease%' THEN lease_id IS NOT NULL ELSE lease_id IS NULL OR type = 'Consume' END)
)
    WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000);
CREATE INDEX meter_entries_created_idx ON meter_entries USING brin (created_at);
CREATE UNIQUE INDEX meter_entries_idempotency_key ON meter_entries (institution_id, license_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX meter_entries_sequence_key ON meter_entries (institution_id, license_id, sequence) WHERE sequence IS NOT NULL;

CREATE TABLE password_reset_requests (
    id UUID NOT NULL,
    email TEXT NOT NULL,
    requested_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT password_reset_requests_pkey PRIMARY KEY (id)
);

CREATE TABLE portal_invitations (
    token_hash BYTEA NOT NULL,
    email TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT portal_invitations_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX portal_invitations_email_idx ON portal_invitations (email);
CREATE INDEX portal_invitations_expires_at_idx ON portal_invitations (expires_at);

CREATE TABLE portal_requests (
    id UUID NOT NULL,
    email TEXT NOT NULL,
    requested_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT portal_requests_pkey PRIMARY KEY (id)
);

CREATE UNLOGGED TABLE rate_counters (
    bucket TEXT NOT NULL,
    ends_at TIMESTAMP WITH TIME ZONE NOT NULL,
    count INTEGER NOT NULL,
    CONSTRAINT rate_counters_pkey PRIMARY KEY (bucket, ends_at)
);
CREATE INDEX rate_counters_ends_at_idx ON rate_counters (ends_at);

CREATE TABLE setup_tokens (
    token_hash BYTEA NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT setup_tokens_pkey PRIMARY KEY (token_hash)
);

CREATE TABLE telemetry_device_months (
    institution_id UUID NOT NULL,
    product_id UUID NOT NULL,
    month DATE NOT NULL,
    name TEXT NOT NULL,
    device BYTEA NOT NULL,
    license_id UUID NOT NULL,
    days INTEGER NOT NULL,
    CONSTRAINT telemetry_device_months_pkey PRIMARY KEY (institution_id, product_id, month, name, device, license_id)
)
    WITH (fillfactor = 70);

CREATE TABLE telemetry_events (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    product_id UUID NOT NULL,
    license_id UUID,
    device BYTEA NOT NULL,
    name TEXT NOT NULL,
    occurred_at TIMESTAMP WITH TIME ZONE NOT NULL,
    received_at TIMESTAMP WITH TIME ZONE NOT NULL,
    properties JSONB NOT NULL,
    CONSTRAINT telemetry_events_pkey PRIMARY KEY (institution_id, id)
);
CREATE INDEX telemetry_events_license_idx ON telemetry_events (institution_id, license_id) WHERE license_id IS NOT NULL;
CREATE INDEX telemetry_events_name_idx ON telemetry_events (institution_id, product_id, name, id);
CREATE INDEX telemetry_events_product_idx ON telemetry_events (institution_id, product_id, id);

CREATE TABLE telemetry_name_days (
    institution_id UUID NOT NULL,
    product_id UUID NOT NULL,
    day DATE NOT NULL,
    name TEXT NOT NULL,
    events BIGINT NOT NULL,
    CONSTRAINT telemetry_name_days_pkey PRIMARY KEY (institution_id, product_id, day, name)
)
    WITH (fillfactor = 50);

CREATE TABLE telemetry_tallies (
    institution_id UUID NOT NULL,
    product_id UUID NOT NULL,
    day DATE NOT NULL,
    events BIGINT NOT NULL,
    bytes BIGINT DEFAULT '0' NOT NULL,
    dropped BIGINT DEFAULT '0' NOT NULL,
    CONSTRAINT telemetry_tallies_pkey PRIMARY KEY (institution_id, product_id, day)
)
    WITH (fillfactor = 50);

CREATE TABLE upgrade_check (
    is_only_row BOOLEAN DEFAULT true NOT NULL,
    checked_at TIMESTAMP WITH TIME ZONE NOT NULL,
    version TEXT,
    released_at TIMESTAMP WITH TIME ZONE,
    notes_url TEXT,
    CONSTRAINT upgrade_check_pkey PRIMARY KEY (is_only_row),
    CONSTRAINT upgrade_check_is_only_row_check CHECK (is_only_row),
    CONSTRAINT upgrade_check_release_check CHECK ((version IS NULL) = (notes_url IS NULL))
);

CREATE TABLE users (
    id UUID NOT NULL,
    email TEXT NOT NULL,
    email_verified_at TIMESTAMP WITH TIME ZONE,
    full_name TEXT NOT NULL,
    password_hash TEXT,
    is_system_admin BOOLEAN DEFAULT false NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    totp_secret BYTEA,
    totp_confirmed_at TIMESTAMP WITH TIME ZONE,
    totp_last_step BIGINT,
    has_passkey BOOLEAN DEFAULT false NOT NULL,
    disabled_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT users_pkey PRIMARY KEY (id),
    CONSTRAINT users_totp_check CHECK (totp_confirmed_at IS NULL OR totp_secret IS NOT NULL)
);
CREATE UNIQUE INDEX users_email_key ON users (lower(email));
CREATE INDEX users_email_start_idx ON users (lower(email) text_pattern_ops);
CREATE INDEX users_full_name_start_idx ON users (lower(full_name) text_pattern_ops);

CREATE TABLE api_keys (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    maker_id UUID NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    scopes JSONB NOT NULL,
    ip_allow_list JSONB NOT NULL,
    token_hash BYTEA NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE,
    last_used_at TIMESTAMP WITH TIME ZONE,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    revoked_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT api_keys_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT api_keys_institution_id_token_hash_key UNIQUE (institution_id, token_hash),
    CONSTRAINT api_keys_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE,
    CONSTRAINT api_keys_maker_id_fkey FOREIGN KEY(maker_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX api_keys_maker_id_idx ON api_keys (maker_id);

CREATE TABLE connectors (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    is_enabled BOOLEAN NOT NULL,
    rules JSONB NOT NULL,
    on_refund TEXT NOT NULL,
    on_dispute TEXT NOT NULL,
    on_payment_failed TEXT NOT NULL,
    grace_days INTEGER NOT NULL,
    secret BYTEA NOT NULL,
    previous_secret BYTEA,
    previous_until TIMESTAMP WITH TIME ZONE,
    api_key BYTEA,
    api_url TEXT,
    last_rejected_at TIMESTAMP WITH TIME ZONE,
    last_rejection TEXT,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT connectors_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT connectors_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE,
    CONSTRAINT connectors_grace_days_check CHECK (grace_days >= 0)
);
CREATE INDEX connectors_id_idx ON connectors (id);

CREATE TABLE customers (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    external_reference TEXT,
    company TEXT,
    locale TEXT,
    notes TEXT,
    metadata JSONB,
    tags JSONB,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    search_words TSVECTOR GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, regexp_replace(name || ' ' || email || ' ' || coalesce(company, '') || ' ' || coalesce(external_reference, ''), '[^[:alnum:]]+', ' ', 'g'))) STORED,
    CONSTRAINT customers_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT customers_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE
);
CREATE INDEX customers_address_idx ON customers (lower(email));
CREATE UNIQUE INDEX customers_email_key ON customers (institution_id, lower(email));
CREATE INDEX customers_name_idx ON customers (institution_id, name, id);
CREATE INDEX customers_reference_idx ON customers (institution_id, external_reference);
CREATE INDEX customers_search_idx ON customers USING gin (search_words);
CREATE INDEX customers_tagged_idx ON customers (institution_id, id) WHERE tags IS NOT NULL;
CREATE INDEX customers_tags_idx ON customers USING gin (CAST(lower(CAST(tags AS TEXT)) AS JSONB)) WHERE tags IS NOT NULL;

CREATE TABLE event_topics (
    institution_id UUID NOT NULL,
    topic TEXT NOT NULL,
    recorded_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT event_topics_pkey PRIMARY KEY (institution_id, topic),
    CONSTRAINT event_topics_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE
);

CREATE TABLE former_addresses (
    institution_id UUID NOT NULL,
    email TEXT NOT NULL,
    customer_id UUID,
    CONSTRAINT former_addresses_pkey PRIMARY KEY (institution_id, email),
    CONSTRAINT former_addresses_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE
);
CREATE INDEX former_addresses_email_idx ON former_addresses (email);

CREATE TABLE institution_appearances (
    institution_id UUID NOT NULL,
    display_name TEXT,
    color TEXT,
    welcome TEXT,
    support_email TEXT,
    support_url TEXT,
    logo BYTEA,
    logo_media_type TEXT,
    logo_version TEXT,
    CONSTRAINT institution_appearances_pkey PRIMARY KEY (institution_id),
    CONSTRAINT institution_appearances_logo_check CHECK ((logo IS NULL) = (logo_media_type IS NULL) AND (logo IS NULL) = (logo_version IS NULL)),
    CONSTRAINT institution_appearances_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE
);

CREATE TABLE invitations (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    email TEXT NOT NULL,
    role TEXT NOT NULL,
    mailed_hash BYTEA,
    link_hash BYTEA,
    link_token BYTEA,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    accepted_at TIMESTAMP WITH TIME ZONE,
    revoked_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT invitations_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT invitations_institution_id_mailed_hash_key UNIQUE (institution_id, mailed_hash),
    CONSTRAINT invitations_institution_id_link_hash_key UNIQUE (institution_id, link_hash),
    CONSTRAINT invitations_role_check CHECK (role IN ('Owner', 'Admin', 'Member', 'Viewer')),
    CONSTRAINT invitations_tokens_check CHECK ((accepted_at IS NULL AND revoked_at IS NULL) OR (mailed_hash IS NULL AND link_hash IS NULL AND link_token IS NULL)),
    CONSTRAINT invitations_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE
);
CREATE INDEX invitations_address_idx ON invitations (email) WHERE accepted_at IS NULL AND revoked_at IS NULL;
CREATE UNIQUE INDEX invitations_open_key ON invitations (institution_id, email) WHERE accepted_at IS NULL AND revoked_at IS NULL;

CREATE TABLE mailed_tokens (
    token_hash BYTEA NOT NULL,
    user_id UUID NOT NULL,
    purpose TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT mailed_tokens_pkey PRIMARY KEY (token_hash),
    CONSTRAINT mailed_tokens_purpose_check CHECK (purpose IN ('PasswordReset', 'EmailVerification')),
    CONSTRAINT mailed_tokens_user_id_fkey FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX mailed_tokens_expires_at_idx ON mailed_tokens (expires_at);
CREATE INDEX mailed_tokens_user_id_idx ON mailed_tokens (user_id);

CREATE TABLE memberships (
    institution_id UUID NOT NULL,
    user_id UUID NOT NULL,
    role TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT memberships_pkey PRIMARY KEY (institution_id, user_id),
    CONSTRAINT memberships_role_check CHECK (role IN ('Owner', 'Admin', 'Member', 'Viewer')),
    CONSTRAINT memberships_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE,
    CONSTRAINT memberships_user_id_fkey FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX memberships_user_id_idx ON memberships (user_id, created_at);

CREATE TABLE meter_feature_days (
    institution_id UUID NOT NULL,
    day DATE NOT NULL,
    product_id UUID NOT NULL,
    mode TEXT NOT NULL,
    feature_name TEXT NOT NULL,
    consumed NUMERIC(38, 6) NOT NULL,
    CONSTRAINT meter_feature_days_pkey PRIMARY KEY (institution_id, day, product_id, mode, feature_name),
    CONSTRAINT meter_feature_days_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE
);

CREATE TABLE meter_license_days (
    institution_id UUID NOT NULL,
    day DATE NOT NULL,
    license_id UUID NOT NULL,
    product_id UUID NOT NULL,
    mode TEXT NOT NULL,
    consumed NUMERIC(38, 6) NOT NULL,
    granted NUMERIC(38, 6) NOT NULL,
    adjusted NUMERIC(38, 6) NOT NULL,
    CONSTRAINT meter_license_days_pkey PRIMARY KEY (institution_id, day, license_id),
    CONSTRAINT meter_license_days_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE
);

CREATE TABLE meter_license_months (
    institution_id UUID NOT NULL,
    month DATE NOT NULL,
    license_id UUID NOT NULL,
    product_id UUID NOT NULL,
    mode TEXT NOT NULL,
    consumed NUMERIC(38, 6) NOT NULL,
    CONSTRAINT meter_license_months_pkey PRIMARY KEY (institution_id, month, license_id),
    CONSTRAINT meter_license_months_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE,
    CONSTRAINT meter_license_months_month_check CHECK (extract(day FROM month) = 1)
);

CREATE TABLE meter_openings (
    institution_id UUID NOT NULL,
    license_id UUID NOT NULL,
    sequence BIGINT NOT NULL,
    balance NUMERIC(24, 6) NOT NULL,
    consumed NUMERIC(38, 6) NOT NULL,
    held NUMERIC(24, 6) DEFAULT '0' NOT NULL,
    until DATE NOT NULL,
    CONSTRAINT meter_openings_pkey PRIMARY KEY (institution_id, license_id),
    CONSTRAINT meter_openings_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE
);

CREATE TABLE meter_product_days (
    institution_id UUID NOT NULL,
    day DATE NOT NULL,
    product_id UUID NOT NULL,
    mode TEXT NOT NULL,
    consumed NUMERIC(38, 6) NOT NULL,
    granted NUMERIC(38, 6) NOT NULL,
    adjusted NUMERIC(38, 6) NOT NULL,
    CONSTRAINT meter_product_days_pkey PRIMARY KEY (institution_id, day, product_id, mode),
    CONSTRAINT meter_product_days_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE
);

CREATE TABLE meter_wallets (
    institution_id UUID NOT NULL,
    license_id UUID NOT NULL,
    product_id UUID NOT NULL,
    mode TEXT NOT NULL,
    balance NUMERIC(24, 6) NOT NULL,
    version BIGINT NOT NULL,
    low_balance_threshold NUMERIC(24, 6),
    held NUMERIC(24, 6) DEFAULT '0' NOT NULL,
    closed_at TIMESTAMP WITH TIME ZONE,
    rests_since TIMESTAMP WITH TIME ZONE,
    CONSTRAINT meter_wallets_pkey PRIMARY KEY (institution_id, license_id),
    CONSTRAINT meter_wallets_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE,
    CONSTRAINT meter_wallets_balance_check CHECK (balance >= 0),
    CONSTRAINT meter_wallets_held_check CHECK (held >= 0),
    CONSTRAINT meter_wallets_mode_check CHECK (mode IN ('Count', 'Token')),
    CONSTRAINT meter_wallets_whole_check CHECK (mode = 'Token' OR balance = trunc(balance)),
    CONSTRAINT meter_wallets_low_balance_threshold_check CHECK (low_balance_threshold >= 0)
)
    WITH (fillfactor = 50);

CREATE TABLE notification_preferences (
    user_id UUID NOT NULL,
    kind TEXT NOT NULL,
    in_app BOOLEAN,
    email BOOLEAN,
    CONSTRAINT notification_preferences_pkey PRIMARY KEY (user_id, kind),
    CONSTRAINT notification_preferences_chosen_check CHECK (in_app IS NOT NULL OR email IS NOT NULL),
    CONSTRAINT notification_preferences_user_id_fkey FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE notifications (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    user_id UUID NOT NULL,
    event_id UUID NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    product_id UUID,
    subject_id UUID NOT NULL,
    subject_kind TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    read_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT notifications_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT notifications_institution_id_user_id_event_id_key UNIQUE (institution_id, user_id, event_id),
    CONSTRAINT notifications_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE,
    CONSTRAINT notifications_user_id_fkey FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX notifications_created_at_idx ON notifications (created_at);
CREATE INDEX notifications_unread_idx ON notifications (user_id, id) WHERE read_at IS NULL;
CREATE INDEX notifications_user_idx ON notifications (user_id, id);

CREATE TABLE passkey_challenges (
    challenge_hash BYTEA NOT NULL,
    purpose TEXT NOT NULL,
    user_id UUID,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT passkey_challenges_pkey PRIMARY KEY (challenge_hash),
    CONSTRAINT passkey_challenges_purpose_check CHECK (purpose IN ('Register', 'SignIn', 'SecondFactor', 'StepUp')),
    CONSTRAINT passkey_challenges_user_check CHECK ((user_id IS NULL) = (purpose = 'SignIn')),
    CONSTRAINT passkey_challenges_user_id_fkey FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX passkey_challenges_expires_at_idx ON passkey_challenges (expires_at);
CREATE INDEX passkey_challenges_user_id_idx ON passkey_challenges (user_id);

CREATE TABLE passkeys (
    id UUID NOT NULL,
    user_id UUID NOT NULL,
    name TEXT NOT NULL,
    credential_id BYTEA NOT NULL,
    public_key BYTEA NOT NULL,
    sign_count BIGINT NOT NULL,
    transports JSONB NOT NULL,
    backed_up BOOLEAN NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    last_used_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT passkeys_pkey PRIMARY KEY (id),
    CONSTRAINT passkeys_user_id_fkey FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id)
);
CREATE INDEX passkeys_user_id_idx ON passkeys (user_id);

CREATE TABLE products (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    access_type TEXT NOT NULL,
    test BOOLEAN DEFAULT false NOT NULL,
    settings JSONB NOT NULL,
    license_count INTEGER DEFAULT 0 NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT products_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT products_test_key UNIQUE (institution_id, id, test),
    CONSTRAINT products_access_type_check CHECK (access_type IN ('Opened', 'Associated')),
    CONSTRAINT products_license_count_check CHECK (license_count >= 0),
    CONSTRAINT products_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE RESTRICT
);
CREATE UNIQUE INDEX products_name_key ON products (institution_id, lower(name));
CREATE INDEX products_of_tests_idx ON products (institution_id, id) WHERE test;

CREATE TABLE rate_limits (
    institution_id UUID NOT NULL,
    runtime INTEGER,
    api_key INTEGER,
    CONSTRAINT rate_limits_pkey PRIMARY KEY (institution_id),
    CONSTRAINT rate_limits_runtime_check CHECK (runtime BETWEEN 1 AND 1000000),
    CONSTRAINT rate_limits_api_key_check CHECK (api_key BETWEEN 1 AND 1000000),
    CONSTRAINT rate_limits_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE
);

CREATE TABLE recovery_codes (
    user_id UUID NOT NULL,
    code_hash BYTEA NOT NULL,
    CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
    CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE saved_views (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    user_id UUID,
    list_kind TEXT NOT NULL,
    name TEXT NOT NULL,
    filters JSONB NOT NULL,
    columns JSONB,
    sort TEXT,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT saved_views_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT saved_views_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE,
    CONSTRAINT saved_views_user_id_fkey FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX saved_views_name_key ON saved_views (institution_id, user_id, list_kind, lower(name)) NULLS NOT DISTINCT;
CREATE INDEX saved_views_user_id_idx ON saved_views (user_id);

CREATE TABLE sign_ins (
    id UUID NOT NULL,
    user_id UUID NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    last_used_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    ended_at TIMESTAMP WITH TIME ZONE,
    ip_address TEXT,
    user_agent TEXT,
    authenticated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    methods JSONB DEFAULT '[]' NOT NULL,
    has_used_factor BOOLEAN DEFAULT false NOT NULL,
    through_institution_id UUID,
    CONSTRAINT sign_ins_pkey PRIMARY KEY (id),
    CONSTRAINT sign_ins_user_id_fkey FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX sign_ins_last_used_at_idx ON sign_ins (last_used_at);
CREATE INDEX sign_ins_user_id_idx ON sign_ins (user_id);

CREATE TABLE sso_attempts (
    institution_id UUID NOT NULL,
    state_hash BYTEA NOT NULL,
    browser_hash BYTEA NOT NULL,
    issuer TEXT NOT NULL,
    nonce TEXT NOT NULL,
    code_verifier TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT sso_attempts_pkey PRIMARY KEY (institution_id, state_hash),
    CONSTRAINT sso_attempts_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE
);
CREATE INDEX sso_attempts_expires_at_idx ON sso_attempts (expires_at);

CREATE TABLE sso_connections (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    issuer TEXT NOT NULL,
    client_id TEXT NOT NULL,
    client_secret BYTEA,
    domains JSONB NOT NULL,
    enforced BOOLEAN NOT NULL,
    default_role TEXT,
    role_claim TEXT,
    role_map JSONB NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT sso_connections_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT sso_connections_institution_id_key UNIQUE (institution_id),
    CONSTRAINT sso_connections_default_role_check CHECK (default_role IN ('Admin', 'Member', 'Viewer')),
    CONSTRAINT sso_connections_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE
);

CREATE TABLE sso_domain_tokens (
    institution_id UUID NOT NULL,
    token_hash BYTEA NOT NULL,
    domain TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT sso_domain_tokens_pkey PRIMARY KEY (institution_id, token_hash),
    CONSTRAINT sso_domain_tokens_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE
);
CREATE INDEX sso_domain_tokens_expires_at_idx ON sso_domain_tokens (expires_at);

CREATE TABLE sso_domains (
    domain TEXT NOT NULL,
    institution_id UUID NOT NULL,
    confirmed_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT sso_domains_pkey PRIMARY KEY (domain),
    CONSTRAINT sso_domains_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE
);
CREATE INDEX sso_domains_institution_id_idx ON sso_domains (institution_id);

CREATE TABLE totp_uses (
    user_id UUID NOT NULL,
    last_step BIGINT NOT NULL,
    CONSTRAINT totp_uses_pkey PRIMARY KEY (user_id),
    CONSTRAINT totp_uses_user_id_fkey FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE webhooks (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    url TEXT NOT NULL,
    event_types JSONB NOT NULL,
    description TEXT,
    include_keys BOOLEAN DEFAULT false NOT NULL,
    secret BYTEA NOT NULL,
    previous_secret BYTEA,
    previous_until TIMESTAMP WITH TIME ZONE,
    is_enabled BOOLEAN NOT NULL,
    disabled_reason TEXT,
    disabled_at TIMESTAMP WITH TIME ZONE,
    failing_since TIMESTAMP WITH TIME ZONE,
    last_attempt_at TIMESTAMP WITH TIME ZONE,
    last_status TEXT,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT webhooks_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT webhooks_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE,
    CONSTRAINT webhooks_disabled_reason_check CHECK (disabled_reason IN ('Gone', 'Failing')),
    CONSTRAINT webhooks_disabled_at_check CHECK (is_enabled = (disabled_at IS NULL)),
    CONSTRAINT webhooks_enabled_check CHECK (disabled_reason IS NULL OR NOT is_enabled),
    CONSTRAINT webhooks_last_status_check CHECK (last_status IN ('Delivered', 'Failed'))
);

CREATE TABLE assigned_products (
    institution_id UUID NOT NULL,
    user_id UUID NOT NULL,
    product_id UUID NOT NULL,
    CONSTRAINT assigned_products_pkey PRIMARY KEY (institution_id, user_id, product_id),
    CONSTRAINT assigned_products_institution_id_user_id_fkey FOREIGN KEY(institution_id, user_id) REFERENCES memberships (institution_id, user_id) ON DELETE CASCADE,
    CONSTRAINT assigned_products_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE
);
CREATE INDEX assigned_products_product_idx ON assigned_products (institution_id, product_id);
CREATE INDEX assigned_products_user_id_idx ON assigned_products (user_id);

CREATE TABLE associations (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    product_id UUID NOT NULL,
    email TEXT,
    invited_institution_id UUID,
    customer_institution_id UUID,
    token_hash BYTEA,
    link_token BYTEA,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    accepted_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT associations_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT associations_customer_key UNIQUE (institution_id, product_id, customer_institution_id),
    CONSTRAINT associations_institution_id_token_hash_key UNIQUE (institution_id, token_hash),
    CONSTRAINT associations_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT associations_invited_check CHECK ((email IS NULL) <> (invited_institution_id IS NULL)),
    CONSTRAINT associations_accepted_at_check CHECK ((accepted_at IS NULL) = (customer_institution_id IS NULL)),
    CONSTRAINT associations_token_check CHECK (accepted_at IS NULL OR (token_hash IS NULL AND link_token IS NULL)),
    CONSTRAINT associations_customer_institution_id_fkey FOREIGN KEY(customer_institution_id) REFERENCES institutions (id) ON DELETE CASCADE
);
CREATE INDEX associations_address_idx ON associations (email) WHERE accepted_at IS NULL;
CREATE INDEX associations_customer_idx ON associations (customer_institution_id);
CREATE INDEX associations_invited_idx ON associations (invited_institution_id) WHERE accepted_at IS NULL;
CREATE UNIQUE INDEX associations_open_email_key ON associations (institution_id, product_id, email) WHERE accepted_at IS NULL;
CREATE UNIQUE INDEX associations_open_institution_key ON associations (institution_id, product_id, invited_institution_id) WHERE accepted_at IS NULL;

CREATE TABLE compact_keys (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    product_id UUID NOT NULL,
    private_key BYTEA NOT NULL,
    public_key BYTEA NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT compact_keys_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT compact_keys_product_key UNIQUE (institution_id, product_id),
    CONSTRAINT compact_keys_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE
);

CREATE TABLE connector_buyers (
    institution_id UUID NOT NULL,
    connector_id UUID NOT NULL,
    reference TEXT NOT NULL,
    email TEXT,
    name TEXT,
    locale TEXT,
    event_time JSONB NOT NULL,
    CONSTRAINT connector_buyers_pkey PRIMARY KEY (institution_id, connector_id, reference),
    CONSTRAINT connector_buyers_institution_id_connector_id_fkey FOREIGN KEY(institution_id, connector_id) REFERENCES connectors (institution_id, id) ON DELETE CASCADE
);

CREATE TABLE entitlement_sets (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    product_id UUID NOT NULL,
    name TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT entitlement_sets_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT entitlement_sets_institution_id_product_id_id_key UNIQUE (institution_id, product_id, id),
    CONSTRAINT entitlement_sets_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX entitlement_sets_name_key ON entitlement_sets (institution_id, product_id, lower(name));

CREATE TABLE features (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    product_id UUID NOT NULL,
    name TEXT NOT NULL,
    kind TEXT DEFAULT 'Flag' NOT NULL,
    display_name TEXT,
    description TEXT,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT features_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT features_institution_id_product_id_id_key UNIQUE (institution_id, product_id, id),
    CONSTRAINT features_kind_key UNIQUE (institution_id, product_id, id, kind),
    CONSTRAINT features_kind_check CHECK (kind IN ('Flag', 'Number', 'Text')),
    CONSTRAINT features_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX features_name_key ON features (institution_id, product_id, lower(name));

CREATE TABLE invited_products (
    institution_id UUID NOT NULL,
    invitation_id UUID NOT NULL,
    product_id UUID NOT NULL,
    CONSTRAINT invited_products_pkey PRIMARY KEY (institution_id, invitation_id, product_id),
    CONSTRAINT invited_products_institution_id_invitation_id_fkey FOREIGN KEY(institution_id, invitation_id) REFERENCES invitations (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT invited_products_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE
);
CREATE INDEX invited_products_product_idx ON invited_products (institution_id, product_id);

CREATE TABLE mail_templates (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    product_id UUID,
    kind TEXT NOT NULL,
    automatic BOOLEAN,
    sender_name TEXT,
    reply_to TEXT,
    default_locale TEXT,
    translations JSONB NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT mail_templates_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT mail_templates_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT mail_templates_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX mail_templates_kind_key ON mail_templates (institution_id, product_id, kind) NULLS NOT DISTINCT;

CREATE TABLE meter_counts (
    institution_id UUID NOT NULL,
    license_id UUID NOT NULL,
    counted BIGINT NOT NULL,
    CONSTRAINT meter_counts_pkey PRIMARY KEY (institution_id, license_id),
    CONSTRAINT meter_counts_institution_id_license_id_fkey FOREIGN KEY(institution_id, license_id) REFERENCES meter_wallets (institution_id, license_id) ON DELETE CASCADE
);

CREATE TABLE meter_feature_names (
    institution_id UUID NOT NULL,
    product_id UUID NOT NULL,
    folded TEXT NOT NULL,
    name TEXT NOT NULL,
    CONSTRAINT meter_feature_names_pkey PRIMARY KEY (institution_id, product_id, folded),
    CONSTRAINT meter_feature_names_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE
);

CREATE TABLE next_rsa_keys (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    product_id UUID NOT NULL,
    kid TEXT NOT NULL,
    key_size INTEGER NOT NULL,
    private_key BYTEA NOT NULL,
    public_key BYTEA NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT next_rsa_keys_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT next_rsa_keys_institution_id_product_id_key UNIQUE (institution_id, product_id),
    CONSTRAINT next_rsa_keys_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE
);

CREATE TABLE order_reports (
    institution_id UUID NOT NULL,
    user_id UUID NOT NULL,
    period TEXT NOT NULL,
    due_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT order_reports_pkey PRIMARY KEY (institution_id, user_id),
    CONSTRAINT order_reports_institution_id_user_id_fkey FOREIGN KEY(institution_id, user_id) REFERENCES memberships (institution_id, user_id) ON DELETE CASCADE,
    CONSTRAINT order_reports_period_check CHECK (period IN ('Week', 'Month'))
);
CREATE INDEX order_reports_due_idx ON order_reports (due_at);

CREATE TABLE orders (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    connector_id UUID NOT NULL,
    external_id TEXT NOT NULL,
    customer_id UUID,
    buyer_reference TEXT,
    email TEXT,
    amount NUMERIC(24, 6),
    currency TEXT,
    refunded_amount NUMERIC(24, 6),
    is_test BOOLEAN DEFAULT false NOT NULL,
    status TEXT NOT NULL,
    problem TEXT,
    lines JSONB NOT NULL,
    due_at TIMESTAMP WITH TIME ZONE,
    attempts INTEGER DEFAULT 0 NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT orders_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT orders_institution_id_connector_id_fkey FOREIGN KEY(institution_id, connector_id) REFERENCES connectors (institution_id, id) ON DELETE CASCADE
);
CREATE INDEX orders_buyer_idx ON orders (institution_id, connector_id, buyer_reference);
CREATE INDEX orders_connector_idx ON orders (institution_id, connector_id, id);
CREATE INDEX orders_created_at_idx ON orders (institution_id, created_at);
CREATE INDEX orders_customer_idx ON orders (institution_id, customer_id, id);
CREATE INDEX orders_due_idx ON orders (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX orders_email_start_idx ON orders (institution_id, lower(email) text_pattern_ops) WHERE email IS NOT NULL;
CREATE INDEX orders_number_start_idx ON orders (institution_id, lower(external_id) text_pattern_ops);

CREATE TABLE product_images (
    institution_id UUID NOT NULL,
    product_id UUID NOT NULL,
    media_type TEXT NOT NULL,
    content BYTEA NOT NULL,
    version TEXT NOT NULL,
    CONSTRAINT product_images_pkey PRIMARY KEY (institution_id, product_id),
    CONSTRAINT product_images_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE
);
CREATE INDEX product_images_product_idx ON product_images (product_id);

CREATE TABLE product_keys (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    product_id UUID NOT NULL,
    key_hash BYTEA NOT NULL,
    secret BYTEA NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE,
    revoked_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT product_keys_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT product_keys_institution_id_key_hash_key UNIQUE (institution_id, key_hash),
    CONSTRAINT product_keys_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE
);
CREATE INDEX product_keys_product_idx ON product_keys (institution_id, product_id, id);

CREATE TABLE refresh_tokens (
    token_hash BYTEA NOT NULL,
    sign_in_id UUID NOT NULL,
    issued_at TIMESTAMP WITH TIME ZONE NOT NULL,
    rotated_at TIMESTAMP WITH TIME ZONE,
    successor_salt BYTEA,
    CONSTRAINT refresh_tokens_pkey PRIMARY KEY (token_hash),
    CONSTRAINT refresh_tokens_sign_in_id_fkey FOREIGN KEY(sign_in_id) REFERENCES sign_ins (id) ON DELETE CASCADE
);
CREATE INDEX refresh_tokens_rotated_at_idx ON refresh_tokens (rotated_at) WHERE rotated_at IS NOT NULL;
CREATE INDEX refresh_tokens_sign_in_id_idx ON refresh_tokens (sign_in_id);

CREATE TABLE releases (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    product_id UUID NOT NULL,
    version TEXT NOT NULL,
    channel TEXT NOT NULL,
    status TEXT NOT NULL,
    notes TEXT,
    published_at TIMESTAMP WITH TIME ZONE,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    coverage TEXT DEFAULT 'Licensed' NOT NULL,
    token TEXT,
    CONSTRAINT releases_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT releases_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT releases_status_check CHECK (status IN ('Draft', 'Published', 'Yanked')),
    CONSTRAINT releases_coverage_check CHECK (coverage IN ('Licensed', 'Everyone')),
    CONSTRAINT releases_published_at_check CHECK (status <> 'Published' OR published_at IS NOT NULL)
);
CREATE INDEX releases_product_idx ON releases (institution_id, product_id, id);
CREATE INDEX releases_published_idx ON releases (institution_id, product_id, published_at, id);
CREATE UNIQUE INDEX releases_version_key ON releases (institution_id, product_id, lower(version), lower(channel));
CREATE INDEX releases_version_start_idx ON releases (institution_id, lower(version) text_pattern_ops);

CREATE TABLE rsa_keys (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    product_id UUID NOT NULL,
    kid TEXT NOT NULL,
    key_size INTEGER NOT NULL,
    private_key BYTEA NOT NULL,
    public_key BYTEA NOT NULL,
    generation INTEGER NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    retired_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT rsa_keys_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT rsa_keys_institution_id_product_id_generation_key UNIQUE (institution_id, product_id, generation),
    CONSTRAINT rsa_keys_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX rsa_keys_live_key ON rsa_keys (institution_id, product_id) WHERE retired_at IS NULL;

CREATE TABLE sso_identities (
    institution_id UUID NOT NULL,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id UUID NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT sso_identities_pkey PRIMARY KEY (institution_id, issuer, subject),
    CONSTRAINT sso_identities_institution_id_user_id_issuer_key UNIQUE (institution_id, user_id, issuer),
    CONSTRAINT sso_identities_institution_id_user_id_fkey FOREIGN KEY(institution_id, user_id) REFERENCES memberships (institution_id, user_id) ON DELETE CASCADE
);

CREATE TABLE sso_sign_ins (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    refresh_token BYTEA,
    admitted_at TIMESTAMP WITH TIME ZONE NOT NULL,
    asked_until TIMESTAMP WITH TIME ZONE,
    CONSTRAINT sso_sign_ins_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT sso_sign_ins_institution_id_fkey FOREIGN KEY(institution_id) REFERENCES institutions (id) ON DELETE CASCADE,
    CONSTRAINT sso_sign_ins_id_fkey FOREIGN KEY(id) REFERENCES sign_ins (id) ON DELETE CASCADE
);
CREATE INDEX sso_sign_ins_id_idx ON sso_sign_ins (id);

CREATE TABLE test_clocks (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    product_id UUID NOT NULL,
    test BOOLEAN DEFAULT true NOT NULL,
    now TIMESTAMP WITH TIME ZONE NOT NULL,
    target TIMESTAMP WITH TIME ZONE,
    status TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT test_clocks_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT test_clocks_product_key UNIQUE (institution_id, product_id),
    CONSTRAINT test_clocks_test_check CHECK (test),
    CONSTRAINT test_clocks_product_fkey FOREIGN KEY(institution_id, product_id, test) REFERENCES products (institution_id, id, test) ON DELETE CASCADE,
    CONSTRAINT test_clocks_status_check CHECK (status IN ('Ready', 'Advancing', 'Failed')),
    CONSTRAINT test_clocks_target_check CHECK (target >= now)
);
CREATE INDEX test_clocks_advancing_idx ON test_clocks (updated_at) WHERE status = 'Advancing';

CREATE TABLE trial_devices (
    institution_id UUID NOT NULL,
    product_id UUID NOT NULL,
    hardware_id TEXT NOT NULL,
    license_id UUID NOT NULL,
    first_used_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT trial_devices_pkey PRIMARY KEY (institution_id, product_id, hardware_id),
    CONSTRAINT trial_devices_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE
);
CREATE INDEX trial_devices_license_idx ON trial_devices (institution_id, license_id, first_used_at);

CREATE TABLE webhook_deliveries (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    webhook_id UUID NOT NULL,
    event_id UUID NOT NULL,
    event_type TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER DEFAULT 0 NOT NULL,
    due_at TIMESTAMP WITH TIME ZONE,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    delivered_at TIMESTAMP WITH TIME ZONE,
    response_status INTEGER,
    response_body TEXT,
    error TEXT,
    duration_ms INTEGER,
    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT webhook_deliveries_institution_id_webhook_id_fkey FOREIGN KEY(institution_id, webhook_id) REFERENCES webhooks (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT webhook_deliveries_institution_id_event_id_fkey FOREIGN KEY(institution_id, event_id) REFERENCES events (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT webhook_deliveries_status_check CHECK (status IN ('Pending', 'Delivered', 'Failed')),
    CONSTRAINT webhook_deliveries_due_at_check CHECK ((status = 'Pending') = (due_at IS NOT NULL)),
    CONSTRAINT webhook_deliveries_delivered_at_check CHECK ((status = 'Delivered') = (delivered_at IS NOT NULL))
);
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (created_at);
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (institution_id, webhook_id, due_at) WHERE status = 'Pending';
CREATE INDEX webhook_deliveries_event_idx ON webhook_deliveries (institution_id, event_id);
CREATE INDEX webhook_deliveries_event_type_idx ON webhook_deliveries (institution_id, webhook_id, event_type text_pattern_ops);
CREATE INDEX webhook_deliveries_failed_idx ON webhook_deliveries (institution_id, webhook_id, id) WHERE status = 'Failed';
CREATE INDEX webhook_deliveries_webhook_idx ON webhook_deliveries (institution_id, webhook_id, id);

CREATE TABLE assigned_releases (
    institution_id UUID NOT NULL,
    user_id UUID NOT NULL,
    release_id UUID NOT NULL,
    CONSTRAINT assigned_releases_pkey PRIMARY KEY (institution_id, user_id, release_id),
    CONSTRAINT assigned_releases_institution_id_user_id_fkey FOREIGN KEY(institution_id, user_id) REFERENCES memberships (institution_id, user_id) ON DELETE CASCADE,
    CONSTRAINT assigned_releases_institution_id_release_id_fkey FOREIGN KEY(institution_id, release_id) REFERENCES releases (institution_id, id) ON DELETE CASCADE
);
CREATE INDEX assigned_releases_release_idx ON assigned_releases (institution_id, release_id);
CREATE INDEX assigned_releases_user_id_idx ON assigned_releases (user_id);

CREATE TABLE connector_events (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    connector_id UUID NOT NULL,
    external_id TEXT NOT NULL,
    type TEXT NOT NULL,
    occurred_at TIMESTAMP WITH TIME ZONE,
    received_at TIMESTAMP WITH TIME ZONE NOT NULL,
    status TEXT NOT NULL,
    error TEXT,
    order_id UUID,
    fact JSONB,
    body TEXT NOT NULL,
    CONSTRAINT connector_events_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT connector_events_external_id_key UNIQUE (institution_id, connector_id, external_id),
    CONSTRAINT connector_events_institution_id_connector_id_fkey FOREIGN KEY(institution_id, connector_id) REFERENCES connectors (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT connector_events_institution_id_order_id_fkey FOREIGN KEY(institution_id, order_id) REFERENCES orders (institution_id, id),
    CONSTRAINT connector_events_status_check CHECK (status IN ('Pending', 'Processed', 'Ignored', 'Failed'))
);
CREATE INDEX connector_events_connector_idx ON connector_events (institution_id, connector_id, id);
CREATE INDEX connector_events_order_idx ON connector_events (institution_id, order_id);
CREATE INDEX connector_events_pending_idx ON connector_events (institution_id, connector_id, id) WHERE status = 'Pending';

CREATE TABLE entitlement_set_features (
    institution_id UUID NOT NULL,
    product_id UUID NOT NULL,
    entitlement_set_id UUID NOT NULL,
    feature_id UUID NOT NULL,
    kind TEXT DEFAULT 'Flag' NOT NULL,
    value JSONB,
    position INTEGER NOT NULL,
    CONSTRAINT entitlement_set_features_pkey PRIMARY KEY (institution_id, entitlement_set_id, feature_id),
    CONSTRAINT entitlement_set_features_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT entitlement_set_features_set_fkey FOREIGN KEY(institution_id, product_id, entitlement_set_id) REFERENCES entitlement_sets (institution_id, product_id, id) ON DELETE CASCADE,
    CONSTRAINT entitlement_set_features_feature_fkey FOREIGN KEY(institution_id, product_id, feature_id, kind) REFERENCES features (institution_id, product_id, id, kind),
    CONSTRAINT entitlement_set_features_value_check CHECK (CASE kind WHEN 'Flag' THEN value IS NULL WHEN 'Number' THEN coalesce(jsonb_typeof(value) = 'number', false) ELSE coalesce(jsonb_typeof(value) = 'string', false) END)
);
CREATE INDEX entitlement_set_features_feature_idx ON entitlement_set_features (institution_id, feature_id);
CREATE INDEX entitlement_set_features_product_idx ON entitlement_set_features (institution_id, product_id);

CREATE TABLE feature_prices (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    product_id UUID NOT NULL,
    feature_id UUID NOT NULL,
    token_cost NUMERIC(24, 6) NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    replaced_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT feature_prices_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT feature_prices_institution_id_product_id_feature_id_fkey FOREIGN KEY(institution_id, product_id, feature_id) REFERENCES features (institution_id, product_id, id) ON DELETE CASCADE,
    CONSTRAINT feature_prices_token_cost_check CHECK (token_cost > 0)
);
CREATE UNIQUE INDEX feature_prices_active_key ON feature_prices (institution_id, feature_id) WHERE replaced_at IS NULL;
CREATE INDEX feature_prices_feature_idx ON feature_prices (institution_id, product_id, feature_id, id);

CREATE TABLE invited_releases (
    institution_id UUID NOT NULL,
    invitation_id UUID NOT NULL,
    release_id UUID NOT NULL,
    CONSTRAINT invited_releases_pkey PRIMARY KEY (institution_id, invitation_id, release_id),
    CONSTRAINT invited_releases_institution_id_invitation_id_fkey FOREIGN KEY(institution_id, invitation_id) REFERENCES invitations (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT invited_releases_institution_id_release_id_fkey FOREIGN KEY(institution_id, release_id) REFERENCES releases (institution_id, id) ON DELETE CASCADE
);
CREATE INDEX invited_releases_release_idx ON invited_releases (institution_id, release_id);

CREATE TABLE order_deadlines (
    institution_id UUID NOT NULL,
    order_id UUID NOT NULL,
    product_id UUID NOT NULL,
    due_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT order_deadlines_pkey PRIMARY KEY (institution_id, order_id, product_id),
    CONSTRAINT order_deadlines_institution_id_order_id_fkey FOREIGN KEY(institution_id, order_id) REFERENCES orders (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT order_deadlines_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE
);
CREATE INDEX order_deadlines_due_idx ON order_deadlines (due_at);
CREATE INDEX order_deadlines_product_idx ON order_deadlines (institution_id, product_id, due_at);

CREATE TABLE order_licenses (
    institution_id UUID NOT NULL,
    order_id UUID NOT NULL,
    license_id UUID NOT NULL,
    plan JSONB NOT NULL,
    use TEXT NOT NULL,
    is_suspended BOOLEAN NOT NULL,
    is_revoked BOOLEAN DEFAULT false NOT NULL,
    granted JSONB,
    CONSTRAINT order_licenses_pkey PRIMARY KEY (institution_id, order_id, license_id),
    CONSTRAINT order_licenses_institution_id_order_id_fkey FOREIGN KEY(institution_id, order_id) REFERENCES orders (institution_id, id) ON DELETE CASCADE
);
CREATE INDEX order_licenses_license_idx ON order_licenses (institution_id, license_id);

CREATE TABLE order_references (
    institution_id UUID NOT NULL,
    connector_id UUID NOT NULL,
    reference TEXT NOT NULL,
    order_id UUID NOT NULL,
    CONSTRAINT order_references_pkey PRIMARY KEY (institution_id, connector_id, reference),
    CONSTRAINT order_references_institution_id_order_id_fkey FOREIGN KEY(institution_id, order_id) REFERENCES orders (institution_id, id) ON DELETE CASCADE
);
CREATE INDEX order_references_order_idx ON order_references (institution_id, order_id);

CREATE TABLE policies (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    product_id UUID NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    duration_days INTEGER,
    duration_months INTEGER,
    term_starts TEXT DEFAULT 'Issue' NOT NULL,
    grace_days INTEGER DEFAULT '0' NOT NULL,
    updates_days INTEGER,
    fallback TEXT DEFAULT 'None' NOT NULL,
    fallback_after_months INTEGER DEFAULT '12' NOT NULL,
    max_active_users_count INTEGER,
    activation_mode TEXT,
    device_proof TEXT,
    machine_match TEXT,
    on_clone TEXT,
    max_borrow_days INTEGER,
    max_borrowed_seats INTEGER,
    max_offline_credits NUMERIC(24, 6),
    on_unreturned TEXT,
    offline_activation TEXT,
    device_binding_mode TEXT,
    entitlement_set_id UUID,
    initial_meter_balance NUMERIC(24, 6),
    renewal_grant NUMERIC(24, 6),
    license_name_pattern TEXT,
    metadata JSONB,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT policies_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT policies_institution_id_product_id_fkey FOREIGN KEY(institution_id, product_id) REFERENCES products (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT policies_entitlement_set_fkey FOREIGN KEY(institution_id, entitlement_set_id) REFERENCES entitlement_sets (institution_id, id),
    CONSTRAINT policies_duration_days_check CHECK (duration_days > 0),
    CONSTRAINT policies_duration_months_check CHECK (duration_months IS NULL OR (duration_months > 0 AND duration_days IS NULL)),
    CONSTRAINT policies_grace_days_check CHECK (grace_days >= 0),
    CONSTRAINT policies_machine_match_check CHECK (machine_match ~ '^(Exact|[2-8]/[2-8])$'),
    CONSTRAINT policies_updates_days_check CHECK (updates_days > 0),
    CONSTRAINT policies_fallback_after_months_check CHECK (fallback_after_months >= 0)
);
CREATE INDEX policies_entitlement_set_idx ON policies (institution_id, entitlement_set_id);
CREATE UNIQUE INDEX policies_name_key ON policies (institution_id, product_id, lower(name));
CREATE INDEX policies_product_idx ON policies (institution_id, product_id, id);

CREATE TABLE release_files (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    release_id UUID NOT NULL,
    name TEXT NOT NULL,
    platform TEXT,
    size_bytes BIGINT NOT NULL,
    sha256 BYTEA NOT NULL,
    content_type TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT release_files_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT release_files_institution_id_release_id_fkey FOREIGN KEY(institution_id, release_id) REFERENCES releases (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT release_files_size_bytes_check CHECK (size_bytes > 0),
    CONSTRAINT release_files_sha256_check CHECK (length(sha256) = 32)
);
CREATE UNIQUE INDEX release_files_name_key ON release_files (institution_id, release_id, lower(name), lower(coalesce(platform, '')));
CREATE INDEX release_files_release_idx ON release_files (institution_id, release_id, id);

CREATE TABLE licenses (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    product_id UUID NOT NULL,
    software_release_id UUID NOT NULL,
    customer_institution_id UUID,
    customer_id UUID,
    policy_id UUID,
    test BOOLEAN DEFAULT false NOT NULL,
    type TEXT NOT NULL,
    license_key TEXT NOT NULL,
    normal_key TEXT NOT NULL,
    license_name TEXT NOT NULL,
    issued_to TEXT,
    issuer TEXT,
    expiration_date TIMESTAMP WITH TIME ZONE,
    term_days INTEGER,
    term_months INTEGER,
    term_began_at TIMESTAMP WITH TIME ZONE,
    term_anchor_day INTEGER,
    grace_days INTEGER DEFAULT '0' NOT NULL,
    updates_until TIMESTAMP WITH TIME ZONE,
    fallback TEXT DEFAULT 'None' NOT NULL,
    fallback_after_months INTEGER DEFAULT '12' NOT NULL,
    paid_since TIMESTAMP WITH TIME ZONE,
    max_active_users_count INTEGER,
    activation_mode TEXT NOT NULL,
    device_proof TEXT DEFAULT 'Off' NOT NULL,
    machine_match TEXT DEFAULT 'Exact' NOT NULL,
    on_clone TEXT DEFAULT 'Refuse' NOT NULL,
    max_borrow_days INTEGER DEFAULT '0' NOT NULL,
    max_borrowed_seats INTEGER,
    max_offline_credits NUMERIC(24, 6),
    on_unreturned TEXT DEFAULT 'Charge' NOT NULL,
    offline_activation TEXT DEFAULT 'Off' NOT NULL,
    offline_key_hash TEXT,
    device_binding_mode TEXT,
    entitlement_set_id UUID,
    feature_values JSONB,
    initial_meter_balance NUMERIC(24, 6),
    username TEXT,
    password_hash TEXT,
    blocked_devices INTEGER DEFAULT '0' NOT NULL,
    notes TEXT,
    metadata JSONB,
    tags JSONB,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    suspended_at TIMESTAMP WITH TIME ZONE,
    revoked_at TIMESTAMP WITH TIME ZONE,
    reminded_for TIMESTAMP WITH TIME ZONE,
    reminded_days INTEGER,
    grace_reminded_for TIMESTAMP WITH TIME ZONE,
    search_words TSVECTOR GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, regexp_replace(license_name || ' ' || coalesce(issued_to, '') || ' ' || coalesce(issuer, '') || ' ' || right(normal_key, 5), '[^[:alnum:]]+', ' ', 'g'))) STORED,
    CONSTRAINT licenses_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT licenses_product_fkey FOREIGN KEY(institution_id, product_id, test) REFERENCES products (institution_id, id, test),
    CONSTRAINT licenses_institution_id_software_release_id_fkey FOREIGN KEY(institution_id, software_release_id) REFERENCES releases (institution_id, id),
    CONSTRAINT licenses_institution_id_entitlement_set_id_fkey FOREIGN KEY(institution_id, entitlement_set_id) REFERENCES entitlement_sets (institution_id, id),
    CONSTRAINT licenses_institution_id_customer_id_fkey FOREIGN KEY(institution_id, customer_id) REFERENCES customers (institution_id, id),
    CONSTRAINT licenses_policy_fkey FOREIGN KEY(institution_id, policy_id) REFERENCES policies (institution_id, id),
    CONSTRAINT licenses_max_active_users_count_check CHECK (max_active_users_count > 0),
    CONSTRAINT licenses_machine_match_check CHECK (machine_match ~ '^(Exact|[2-8]/[2-8])$'),
    CONSTRAINT licenses_initial_meter_balance_check CHECK (initial_meter_balance > 0),
    CONSTRAINT licenses_blocked_devices_check CHECK (blocked_devices >= 0),
    CONSTRAINT licenses_grace_days_check CHECK (grace_days >= 0),
    CONSTRAINT licenses_fallback_after_months_check CHECK (fallback_after_months >= 0),
    CONSTRAINT licenses_term_days_check CHECK (term_days IS NULL OR (term_days > 0 AND expiration_date IS NULL)),
    CONSTRAINT licenses_term_months_check CHECK (term_months IS NULL OR (term_months > 0 AND term_days IS NULL AND expiration_date IS NULL)),
    CONSTRAINT licenses_reminded_check CHECK ((reminded_for IS NULL) = (reminded_days IS NULL))
)
    WITH (fillfactor = 50);
CREATE INDEX licenses_customer_idx ON licenses (customer_institution_id, id) WHERE customer_institution_id IS NOT NULL;
CREATE INDEX licenses_due_reminders_idx ON licenses (institution_id, expiration_date) INCLUDE (id, reminded_for, reminded_days, created_at, term_began_at, grace_days, grace_reminded_for) WHERE revoked_at IS NULL AND suspended_at IS NULL AND (reminded_for IS DISTINCT FROM expiration_date OR reminded_days > 0);
CREATE INDEX licenses_entitlement_set_idx ON licenses (institution_id, entitlement_set_id) WHERE entitlement_set_id IS NOT NULL;
CREATE INDEX licenses_expiration_idx ON licenses (institution_id, expiration_date, id);
CREATE INDEX licenses_fallback_idx ON licenses (institution_id, id) WHERE fallback <> 'None';
CREATE INDEX licenses_feature_values_idx ON licenses (institution_id, product_id) WHERE feature_values IS NOT NULL;
CREATE INDEX licenses_grace_idx ON licenses (institution_id, grace_days) WHERE grace_days > 0;
CREATE INDEX licenses_issued_to_idx ON licenses (institution_id, lower(issued_to), id);
CREATE INDEX licenses_key_start_idx ON licenses (institution_id, normal_key text_pattern_ops);
CREATE INDEX licenses_name_idx ON licenses (institution_id, license_name, id);
CREATE INDEX licenses_name_start_idx ON licenses (institution_id, lower(license_name) text_pattern_ops);
CREATE UNIQUE INDEX licenses_normal_key_key ON licenses (institution_id, product_id, normal_key);
CREATE INDEX licenses_of_customer_idx ON licenses (institution_id, customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX licenses_offline_key_idx ON licenses (offline_key_hash) WHERE offline_key_hash IS NOT NULL;
CREATE INDEX licenses_policy_idx ON licenses (institution_id, policy_id, id) WHERE policy_id IS NOT NULL;
CREATE INDEX licenses_product_idx ON licenses (institution_id, product_id, id);
CREATE INDEX licenses_receiver_idx ON licenses (lower(issued_to), id) WHERE issued_to IS NOT NULL;
CREATE INDEX licenses_release_idx ON licenses (institution_id, software_release_id);
CREATE INDEX licenses_revoked_idx ON licenses (institution_id, id) WHERE revoked_at IS NOT NULL;
CREATE INDEX licenses_search_idx ON licenses USING gin (search_words);
CREATE INDEX licenses_suspended_idx ON licenses (institution_id, id) WHERE suspended_at IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX licenses_tagged_idx ON licenses (institution_id, id) WHERE tags IS NOT NULL;
CREATE INDEX licenses_tags_idx ON licenses USING gin (CAST(lower(CAST(tags AS TEXT)) AS JSONB)) WHERE tags IS NOT NULL;
CREATE INDEX licenses_type_expiration_idx ON licenses (institution_id, type, expiration_date);
CREATE INDEX licenses_type_idx ON licenses (institution_id, type, id);

CREATE TABLE release_file_sums (
    institution_id UUID NOT NULL,
    file_id UUID NOT NULL,
    sums BYTEA NOT NULL,
    CONSTRAINT release_file_sums_pkey PRIMARY KEY (institution_id, file_id),
    CONSTRAINT release_file_sums_institution_id_file_id_fkey FOREIGN KEY(institution_id, file_id) REFERENCES release_files (institution_id, id) ON DELETE CASCADE
);

CREATE TABLE access_attempts (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    license_id UUID NOT NULL,
    product_id UUID NOT NULL,
    attempted_hardware_id TEXT NOT NULL,
    bound_hardware_id TEXT NOT NULL,
    ip_address TEXT NOT NULL,
    entry_point TEXT NOT NULL,
    attempt_count BIGINT NOT NULL,
    first_seen_at TIMESTAMP WITH TIME ZONE NOT NULL,
    last_seen_at TIMESTAMP WITH TIME ZONE NOT NULL,
    alerted_on DATE NOT NULL,
    reviewed_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT access_attempts_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT access_attempts_institution_id_license_id_fkey FOREIGN KEY(institution_id, license_id) REFERENCES licenses (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT access_attempts_machine_key UNIQUE (institution_id, license_id, attempted_hardware_id)
)
    WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000);
CREATE INDEX access_attempts_license_idx ON access_attempts (institution_id, license_id, id);
CREATE INDEX access_attempts_unreviewed_idx ON access_attempts (institution_id, product_id) WHERE reviewed_at IS NULL;

CREATE TABLE activations (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    license_id UUID NOT NULL,
    product_id UUID NOT NULL,
    hardware_id TEXT NOT NULL,
    device_name TEXT,
    os TEXT,
    app_version TEXT,
    metadata JSONB,
    holds_seat BOOLEAN NOT NULL,
    bound BOOLEAN NOT NULL,
    blocked_at TIMESTAMP WITH TIME ZONE,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    activated_at TIMESTAMP WITH TIME ZONE,
    last_seen_at TIMESTAMP WITH TIME ZONE NOT NULL,
    file_ends_at TIMESTAMP WITH TIME ZONE,
    released_at TIMESTAMP WITH TIME ZONE,
    over_limit_at TIMESTAMP WITH TIME ZONE,
    jkt TEXT,
    key_level TEXT,
    key_since TIMESTAMP WITH TIME ZONE,
    proof_at TIMESTAMP WITH TIME ZONE,
    proof_jti TEXT,
    components_mark TEXT,
    CONSTRAINT activations_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT activations_institution_id_license_id_fkey FOREIGN KEY(institution_id, license_id) REFERENCES licenses (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT activations_device_key UNIQUE (institution_id, license_id, hardware_id),
    CONSTRAINT activations_released_at_check CHECK (released_at IS NULL OR ((holds_seat OR over_limit_at IS NOT NULL) AND NOT bound AND blocked_at IS NULL AND file_ends_at IS NOT NULL)),
    CONSTRAINT activations_over_limit_at_check CHECK (over_limit_at IS NULL OR NOT holds_seat),
    CONSTRAINT activations_bound_holds_seat_check CHECK (holds_seat OR NOT bound),
    CONSTRAINT activations_activated_at_check CHECK ((holds_seat OR over_limit_at IS NOT NULL) = (activated_at IS NOT NULL))
)
    WITH (fillfactor = 90);
CREATE UNIQUE INDEX activations_bound_key ON activations (institution_id, license_id) WHERE bound;
CREATE INDEX activations_hardware_start_idx ON activations (institution_id, lower(hardware_id) text_pattern_ops);
CREATE INDEX activations_known_key_idx ON activations (institution_id, license_id, jkt) WHERE components_mark IS NOT NULL AND jkt IS NOT NULL;
CREATE INDEX activations_license_idx ON activations (institution_id, license_id, id);
CREATE INDEX activations_name_start_idx ON activations (institution_id, lower(device_name) text_pattern_ops) WHERE device_name IS NOT NULL;
CREATE INDEX activations_over_limit_idx ON activations (institution_id, license_id) WHERE over_limit_at IS NOT NULL;
CREATE INDEX activations_pending_idx ON activations (institution_id, product_id, id) WHERE NOT holds_seat AND blocked_at IS NULL;
CREATE INDEX activations_released_idx ON activations (institution_id, license_id, file_ends_at) WHERE released_at IS NOT NULL;

CREATE TABLE device_counters (
    institution_id UUID NOT NULL,
    license_id UUID NOT NULL,
    seats_used INTEGER DEFAULT '0' NOT NULL,
    seats_waiting INTEGER DEFAULT '0' NOT NULL,
    over_limit INTEGER DEFAULT '0' NOT NULL,
    unreviewed_attempts INTEGER DEFAULT '0' NOT NULL,
    day DATE NOT NULL,
    new_rows INTEGER DEFAULT '0' NOT NULL,
    uncounted INTEGER DEFAULT '0' NOT NULL,
    CONSTRAINT device_counters_pkey PRIMARY KEY (institution_id, license_id),
    CONSTRAINT device_counters_institution_id_license_id_fkey FOREIGN KEY(institution_id, license_id) REFERENCES licenses (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT device_counters_seats_used_check CHECK (seats_used >= 0),
    CONSTRAINT device_counters_seats_waiting_check CHECK (seats_waiting BETWEEN 0 AND seats_used),
    CONSTRAINT device_counters_over_limit_check CHECK (over_limit >= 0),
    CONSTRAINT device_counters_unreviewed_attempts_check CHECK (unreviewed_attempts >= 0)
);
CREATE INDEX device_counters_over_limit_idx ON device_counters (institution_id, license_id) WHERE over_limit > 0;

CREATE TABLE device_releases (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    license_id UUID NOT NULL,
    user_id UUID,
    rekeyed BOOLEAN DEFAULT false NOT NULL,
    released_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT device_releases_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT device_releases_institution_id_license_id_fkey FOREIGN KEY(institution_id, license_id) REFERENCES licenses (institution_id, id) ON DELETE CASCADE
);
CREATE INDEX device_releases_license_idx ON device_releases (institution_id, license_id, released_at);

CREATE TABLE enrollment_keys (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    license_id UUID NOT NULL,
    name TEXT NOT NULL,
    secret_hash BYTEA NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE,
    max_devices INTEGER,
    enrolled_devices INTEGER DEFAULT '0' NOT NULL,
    ip_allow_list JSONB NOT NULL,
    last_used_at TIMESTAMP WITH TIME ZONE,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT enrollment_keys_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT enrollment_keys_institution_id_secret_hash_key UNIQUE (institution_id, secret_hash),
    CONSTRAINT enrollment_keys_institution_id_license_id_fkey FOREIGN KEY(institution_id, license_id) REFERENCES licenses (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT enrollment_keys_enrolled_devices_check CHECK (enrolled_devices BETWEEN 0 AND max_devices)
);
CREATE INDEX enrollment_keys_license_idx ON enrollment_keys (institution_id, license_id, id);

CREATE TABLE leases (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    license_id UUID NOT NULL,
    product_id UUID NOT NULL,
    kind TEXT NOT NULL,
    jkt TEXT NOT NULL,
    hardware_id TEXT NOT NULL,
    device_name TEXT,
    license_key_hash TEXT NOT NULL,
    session_id UUID,
    quantity NUMERIC(24, 6) NOT NULL,
    seq INTEGER NOT NULL,
    issued_at TIMESTAMP WITH TIME ZONE NOT NULL,
    signed_at TIMESTAMP WITH TIME ZONE NOT NULL,
    ends_at TIMESTAMP WITH TIME ZONE NOT NULL,
    issue_key TEXT NOT NULL,
    issue_days INTEGER NOT NULL,
    renewal_key TEXT,
    renewal_days INTEGER,
    recalled_at TIMESTAMP WITH TIME ZONE,
    forked_at TIMESTAMP WITH TIME ZONE,
    acknowledged_at TIMESTAMP WITH TIME ZONE,
    ended_at TIMESTAMP WITH TIME ZONE,
    end_reason TEXT,
    prices JSONB,
    spent NUMERIC(24, 6) DEFAULT '0' NOT NULL,
    refunded NUMERIC(24, 6) DEFAULT '0' NOT NULL,
    settled INTEGER DEFAULT '0' NOT NULL,
    settled_head TEXT,
    last_report_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT leases_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT leases_institution_id_license_id_fkey FOREIGN KEY(institution_id, license_id) REFERENCES licenses (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT leases_issue_key UNIQUE (institution_id, license_id, jkt, issue_key),
    CONSTRAINT leases_end_reason_check CHECK ((ended_at IS NULL) = (end_reason IS NULL)),
    CONSTRAINT leases_seq_check CHECK (seq >= 1 AND quantity > 0),
    CONSTRAINT leases_session_check CHECK ((kind = 'Seat') = (session_id IS NOT NULL)),
    CONSTRAINT leases_spent_check CHECK (spent >= 0 AND refunded >= 0 AND spent + refunded <= quantity AND settled >= 0)
);
CREATE INDEX leases_ends_at_idx ON leases (ends_at) WHERE ended_at IS NULL;
CREATE INDEX leases_held_idx ON leases (institution_id, license_id) WHERE ended_at IS NULL;
CREATE INDEX leases_license_idx ON leases (institution_id, license_id, id);
CREATE UNIQUE INDEX leases_open_key ON leases (institution_id, license_id, jkt, kind) WHERE ended_at IS NULL AND forked_at IS NULL;

CREATE TABLE license_former_keys (
    institution_id UUID NOT NULL,
    product_id UUID NOT NULL,
    normal_key TEXT NOT NULL,
    license_key TEXT NOT NULL,
    license_id UUID NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT license_former_keys_pkey PRIMARY KEY (institution_id, product_id, normal_key),
    CONSTRAINT license_former_keys_institution_id_license_id_fkey FOREIGN KEY(institution_id, license_id) REFERENCES licenses (institution_id, id) ON DELETE CASCADE
);
CREATE INDEX license_former_keys_license_idx ON license_former_keys (institution_id, license_id);

CREATE TABLE license_mails (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    license_id UUID NOT NULL,
    kind TEXT NOT NULL,
    recipient TEXT NOT NULL,
    locale TEXT NOT NULL,
    status TEXT NOT NULL,
    error TEXT,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    sent_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT license_mails_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT license_mails_institution_id_license_id_fkey FOREIGN KEY(institution_id, license_id) REFERENCES licenses (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT license_mails_status_check CHECK (status IN ('Queued', 'Sent', 'Failed'))
);
CREATE INDEX license_mails_license_idx ON license_mails (institution_id, license_id, id);
CREATE INDEX license_mails_recipient_idx ON license_mails (institution_id, lower(recipient), created_at);
CREATE INDEX license_mails_status_idx ON license_mails (institution_id, status, id);

CREATE TABLE license_requests (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    license_id UUID NOT NULL,
    hardware_id TEXT NOT NULL,
    route TEXT NOT NULL,
    status TEXT NOT NULL,
    device_name TEXT,
    app_version TEXT,
    ip_address TEXT NOT NULL,
    request_count BIGINT NOT NULL,
    first_seen_at TIMESTAMP WITH TIME ZONE NOT NULL,
    last_seen_at TIMESTAMP WITH TIME ZONE NOT NULL,
    last_day DATE NOT NULL,
    CONSTRAINT license_requests_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT license_requests_institution_id_license_id_fkey FOREIGN KEY(institution_id, license_id) REFERENCES licenses (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT license_requests_same_key UNIQUE (institution_id, license_id, hardware_id, route, status)
)
    WITH (fillfactor = 70);
CREATE INDEX license_requests_last_day_idx ON license_requests (last_day);

CREATE TABLE offline_requests (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    license_id UUID NOT NULL,
    product_id UUID NOT NULL,
    jkt TEXT NOT NULL,
    key_x TEXT NOT NULL,
    key_y TEXT NOT NULL,
    hardware_id TEXT NOT NULL,
    device_name TEXT,
    app_version TEXT,
    kind TEXT NOT NULL,
    nonce TEXT,
    seq INTEGER NOT NULL,
    base TEXT,
    installed_jti TEXT,
    key_hash TEXT NOT NULL,
    file_jti UUID,
    file_made_at TIMESTAMP WITH TIME ZONE,
    file_ends_at TIMESTAMP WITH TIME ZONE,
    seat_until TIMESTAMP WITH TIME ZONE,
    other_file_until TIMESTAMP WITH TIME ZONE,
    state TEXT NOT NULL,
    asked_at TIMESTAMP WITH TIME ZONE NOT NULL,
    decided_at TIMESTAMP WITH TIME ZONE,
    decided_by UUID,
    reason TEXT,
    CONSTRAINT offline_requests_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT offline_requests_institution_id_license_id_fkey FOREIGN KEY(institution_id, license_id) REFERENCES licenses (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT offline_requests_device_key UNIQUE (institution_id, license_id, jkt),
    CONSTRAINT offline_requests_seq_check CHECK (seq >= 1),
    CONSTRAINT offline_requests_decided_at_check CHECK ((state = 'Waiting') = (decided_at IS NULL)),
    CONSTRAINT offline_requests_file_check CHECK ((file_jti IS NULL) = (file_made_at IS NULL) AND (file_jti IS NULL) = (file_ends_at IS NULL) AND (state <> 'Answered' OR file_jti IS NOT NULL))
);
CREATE INDEX offline_requests_asked_idx ON offline_requests (institution_id, license_id, asked_at);
CREATE INDEX offline_requests_license_idx ON offline_requests (institution_id, license_id, id);
CREATE INDEX offline_requests_waiting_idx ON offline_requests (institution_id, product_id, id) WHERE state = 'Waiting';

CREATE TABLE seat_refusals (
    institution_id UUID NOT NULL,
    license_id UUID NOT NULL,
    hardware_id TEXT NOT NULL,
    refused_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT seat_refusals_pkey PRIMARY KEY (institution_id, license_id, hardware_id),
    CONSTRAINT seat_refusals_institution_id_license_id_fkey FOREIGN KEY(institution_id, license_id) REFERENCES licenses (institution_id, id) ON DELETE CASCADE
);

CREATE TABLE session_peaks (
    institution_id UUID NOT NULL,
    license_id UUID NOT NULL,
    day DATE NOT NULL,
    product_id UUID NOT NULL,
    peak INTEGER NOT NULL,
    CONSTRAINT session_peaks_pkey PRIMARY KEY (institution_id, license_id, day),
    CONSTRAINT session_peaks_institution_id_license_id_fkey FOREIGN KEY(institution_id, license_id) REFERENCES licenses (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT session_peaks_peak_check CHECK (peak > 0)
);
CREATE INDEX session_peaks_day_idx ON session_peaks (day);
CREATE INDEX session_peaks_institution_idx ON session_peaks (institution_id, day);

CREATE TABLE session_slots (
    institution_id UUID NOT NULL,
    license_id UUID NOT NULL,
    n INTEGER NOT NULL,
    session_id UUID,
    product_id UUID NOT NULL,
    hardware_id TEXT,
    instance_key BYTEA,
    connected_at TIMESTAMP WITH TIME ZONE,
    last_heartbeat_at TIMESTAMP WITH TIME ZONE,
    expires_at TIMESTAMP WITH TIME ZONE,
    jkt TEXT,
    lease_id UUID,
    CONSTRAINT session_slots_pkey PRIMARY KEY (institution_id, license_id, n),
    CONSTRAINT session_slots_institution_id_license_id_fkey FOREIGN KEY(institution_id, license_id) REFERENCES licenses (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT session_slots_session_key UNIQUE (institution_id, session_id),
    CONSTRAINT session_slots_instance_key UNIQUE (institution_id, instance_key),
    CONSTRAINT session_slots_expires_at_check CHECK ((session_id IS NULL) = (expires_at IS NULL))
)
    WITH (fillfactor = 50);
CREATE INDEX session_slots_free_idx ON session_slots (institution_id, license_id, n) WHERE session_id IS NULL;

CREATE TABLE sessions (
    institution_id UUID NOT NULL,
    id UUID NOT NULL,
    license_id UUID NOT NULL,
    product_id UUID NOT NULL,
    hardware_id TEXT NOT NULL,
    instance_id TEXT,
    device_name TEXT,
    app_version TEXT,
    connected_at TIMESTAMP WITH TIME ZONE NOT NULL,
    last_heartbeat_at TIMESTAMP WITH TIME ZONE,
    ended_at TIMESTAMP WITH TIME ZONE,
    end_reason TEXT,
    proof_jti TEXT,
    CONSTRAINT sessions_pkey PRIMARY KEY (institution_id, id),
    CONSTRAINT sessions_institution_id_license_id_fkey FOREIGN KEY(institution_id, license_id) REFERENCES licenses (institution_id, id) ON DELETE CASCADE,
    CONSTRAINT sessions_end_reason_check CHECK ((ended_at IS NULL) = (end_reason IS NULL))
)
    WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000);
CREATE INDEX sessions_license_idx ON sessions (institution_id, license_id, id);
CREATE INDEX sessions_proof_idx ON sessions (institution_id, license_id, proof_jti) WHERE proof_jti IS NOT NULL;

CREATE TABLE device_components (
    institution_id UUID NOT NULL,
    activation_id UUID NOT NULL,
    name TEXT NOT NULL,
    license_id UUID NOT NULL,
    value TEXT NOT NULL,
    original TEXT NOT NULL,
    bound_at TIMESTAMP WITH TIME ZONE NOT NULL,
    changed_at JSONB NOT NULL,
    CONSTRAINT device_components_pkey PRIMARY KEY (institution_id, activation_id, name),
    CONSTRAINT device_components_institution_id_activation_id_fkey FOREIGN KEY(institution_id, activation_id) REFERENCES activations (institution_id, id) ON DELETE CASCADE
);
CREATE INDEX device_components_value_idx ON device_components (institution_id, license_id, name, value, activation_id);

CREATE TABLE device_tokens (
    institution_id UUID NOT NULL,
    token_hash BYTEA NOT NULL,
    license_id UUID NOT NULL,
    activation_id UUID NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT device_tokens_pkey PRIMARY KEY (institution_id, token_hash),
    CONSTRAINT device_tokens_institution_id_activation_id_fkey FOREIGN KEY(institution_id, activation_id) REFERENCES activations (institution_id, id) ON DELETE CASCADE
);
CREATE INDEX device_tokens_activation_idx ON device_tokens (institution_id, activation_id, created_at);
-- Estimates that a sample of many institutions gets wrong: each has few of the rows.
ALTER TABLE activations ALTER COLUMN institution_id SET (n_distinct = -0.0001),
    ALTER COLUMN license_id SET (n_distinct = -0.001);
ALTER TABLE meter_entries ALTER COLUMN institution_id SET (n_distinct = -0.001),
    ALTER COLUMN license_id SET (n_distinct = -0.01);
CREATE STATISTICS meter_entries_wallet (dependencies)
    ON institution_id, license_id FROM meter_entries;
