INSERT INTO institutions (id, name, created_at)
VALUES ('01900000-0000-7000-8000-000000000001', 'Aurora Software', :now);

INSERT INTO products
    (institution_id, id, name, access_type, settings, license_count, created_at, updated_at)
SELECT '01900000-0000-7000-8000-000000000001', id::uuid, name, 'Opened', '{}',
    :rows * share / 10, :now, :now
FROM (VALUES ('01900000-0000-7000-8000-00000000000a', 'Aurora Studio', 7),
             ('01900000-0000-7000-8000-00000000000b', 'Aurora Render', 3)) AS p (id, name, share);

INSERT INTO releases
    (institution_id, id, product_id, version, channel, status, published_at, created_at, updated_at)
SELECT institution_id, id, id, '3.2.0', 'Stable', 'Published', :now, :now, :now
FROM products WHERE institution_id = '01900000-0000-7000-8000-000000000001';

INSERT INTO licenses
    (institution_id, id, product_id, software_release_id, type, license_key, normal_key,
     license_name, issued_to, issuer, expiration_date, max_active_users_count, activation_mode,
     device_binding_mode, initial_meter_balance, created_at, updated_at, suspended_at, revoked_at,
     reminded_for, reminded_days)
WITH numbered AS (
    -- Five years of sales, evenly spread; the id is the UUIDv7 of the moment of the sale.
    SELECT n, :now - interval '5 years' * ((:rows - n) / :rows::double precision) AS made,
        hashint4(n) & 1023 AS a, hashint4(n + 1) & 1023 AS b, hashint4(n + 2) & 1023 AS c,
        upper(substr(md5(n::text), 1, 25)) AS key
    FROM generate_series(1, :rows) AS n
), described AS (
    SELECT *,
        CASE WHEN n % 10 < 7 THEN '01900000-0000-7000-8000-00000000000a'
            ELSE '01900000-0000-7000-8000-00000000000b' END::uuid AS product,
        CASE WHEN a < 300 THEN 'Perpetual' WHEN a < 450 THEN 'Trial'
            WHEN a < 800 THEN 'Subscription' WHEN a < 850 THEN 'Floating'
            WHEN a < 900 THEN 'Concurrent' WHEN a < 980 THEN 'NodeLocked'
            WHEN a < 1010 THEN 'MeteredToken' ELSE 'MeteredCount' END AS model,
        (ARRAY['Jo', 'Kim', 'Lee', 'Ada', 'Max', 'Ines', 'Omar', 'Yuki'])[1 + b % 8] AS first,
        (ARRAY['Miller', 'Sato', 'Novak', 'Rossi', 'Khan', 'Berg', 'Diaz', 'Weber', 'Ito', 'Cruz',
            'Lind', 'Moreau', 'Kowal', 'Silva', 'Popov', 'Nagy'])[1 + c % 16] AS last,
        (ARRAY['studio', 'workstation', 'render farm', 'laptop'])[1 + b / 8 % 4] AS place
    FROM numbered
), dated AS (
    SELECT *,
        CASE model WHEN 'Trial' THEN made + interval '30 days'
            WHEN 'Subscription' THEN made + interval '1 year' * (1 + b % 3) END AS ends
    FROM described
)
SELECT '01900000-0000-7000-8000-000000000001',
    (lpad(to_hex((extract(epoch FROM made) * 1000)::bigint), 12, '0') || '7'
        || lpad(to_hex(n & 4095), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid,
    product, product, model, regexp_replace(key, '(.{5})(?=.)', '\1-', 'g'), key,
    first || ' ' || last || ', ' || place || ' ' || n,
    -- A customer buys thirty licenses; one license in a hundred has no recipient.
    CASE WHEN n % 100 > 0 THEN 'orders@customer' || n % (:rows / 30) || '.example.com' END,
    CASE WHEN b < 100 THEN 'Reseller ' || b % 50 END,
    ends,
    CASE WHEN model IN ('Floating', 'Concurrent') THEN 10 END,
    'Online',
    CASE WHEN model = 'NodeLocked' THEN 'AutoBind' END,
    CASE WHEN model LIKE 'Metered%' THEN 1000 END,
    made, made,
    CASE WHEN c < 5 THEN :now END,
    CASE WHEN c >= 1014 THEN :now END,
    -- All reminders were sent, so that the service does not begin with years of them.
    ends, CASE WHEN ends IS NOT NULL THEN 0 END
FROM dated
