-- Every seat of each Floating license, or so many of each, is taken by a session that connected within
-- the last day.
CREATE TEMPORARY TABLE seated AS
WITH numbered AS (
    SELECT l.institution_id, l.id AS license_id, l.product_id, n,
        :now - interval '1 day' * random() AS connected_at,
        md5(random()::text) AS a, md5(random()::text) AS b
    FROM licenses AS l, generate_series(1, least(l.max_active_users_count, :most)) AS n
    WHERE l.type = 'Floating'
)
SELECT institution_id, license_id, product_id, n, connected_at,
    (lpad(to_hex((extract(epoch FROM connected_at) * 1000)::bigint), 12, '0')
        || '7' || substr(a, 1, 3) || '8' || substr(a, 4, 15))::uuid AS session_id,
    upper(a) AS hardware_id, b AS instance_id,
    greatest(connected_at, :now - interval '30 seconds' * random()) AS last_heartbeat_at
FROM numbered;

INSERT INTO sessions
    (institution_id, id, license_id, product_id, hardware_id, instance_id, device_name,
     app_version, connected_at)
SELECT institution_id, session_id, license_id, product_id, hardware_id, instance_id, 'Studio 7',
    '3.1.0', connected_at
FROM seated ORDER BY session_id;

-- Pools grow by many slots at a time, so each pool's slots are adjacent.
INSERT INTO session_slots
    (institution_id, license_id, n, session_id, product_id, hardware_id, instance_key,
     connected_at, last_heartbeat_at, expires_at)
SELECT institution_id, license_id, n, session_id, product_id, hardware_id,
    sha256(uuid_send(license_id)
        || convert_to(length(hardware_id) || ':' || hardware_id || instance_id, 'UTF8')),
    connected_at, last_heartbeat_at, :now + interval '1 day'
FROM seated ORDER BY license_id, n;

DROP TABLE seated
