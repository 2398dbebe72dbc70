# Starts PostgreSQL as the public image does: on an empty volume, it creates the user and the database
# with a server that listens on its socket only, and then serves.
set -eu

if [ "$(id -u)" = 0 ]; then
    chown postgres "$PGDATA"
    chmod 0700 "$PGDATA"
    exec setpriv --reuid postgres --regid postgres --init-groups /bin/sh "$0"
fi

if [ ! -s "$PGDATA/PG_VERSION" ]; then
    password=$(mktemp)
    printf '%s\n' "${POSTGRES_PASSWORD:-$(cat "$POSTGRES_PASSWORD_FILE")}" > "$password"
    initdb --username "$POSTGRES_USER" --pwfile "$password" --auth-local trust --auth-host scram-sha-256
    rm "$password"
    echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
    pg_ctl --wait --options "-c listen_addresses=''" start
    createdb --username "$POSTGRES_USER" "$POSTGRES_DB"
    pg_ctl --wait --mode fast stop
fi

exec postgres -c listen_addresses='*'
