#!/usr/bin/env bash
# Runs the tests that touch the database against the Postgres of a Debian release: AGE 1.5 and Postgres 17 (trixie), or
# AGE 1.8 and Postgres 18 (sid). The release is unpacked into a folder once, its server runs from there on a port of
# loopback, with a password, and is stopped and its data removed however the tests end.
#
#   tests/external.sh [trixie|sid] [arguments of pytest]
#
# Needs root (chroot) and debootstrap. MAILWEAVE_EXTERNAL: where the folders are kept. With a server of your own, set
# MAILWEAVE_TEST_DSN to a login that may make databases, and call pytest.
set -euo pipefail
cd "$(dirname "$0")/.."

suite=${1:-trixie}
shift || true
case $suite in
    trixie) postgres=17 ;;
    sid) postgres=18 ;;
    *) echo "tests/external.sh [trixie|sid] [arguments of pytest]" >&2; exit 2 ;;
esac
[ "$(id -u)" = 0 ] || { echo "Run it as root: it uses chroot." >&2; exit 2; }
command -v debootstrap >/dev/null || apt-get install -q -y --no-install-recommends debootstrap

root=${MAILWEAVE_EXTERNAL:-/var/cache/mailweave-external}/$suite
bin=/usr/lib/postgresql/$postgres/bin
if [ ! -e "$root/.complete" ]; then
    rm -rf "$root"
    mkdir -p "$root"
    packages=postgresql-$postgres,postgresql-$postgres-age,postgresql-$postgres-pgvector
    [ "$suite" = trixie ] || packages+=,postgresql-$postgres-pg-textsearch
    debootstrap --variant=minbase --include="$packages" "$suite" "$root" http://deb.debian.org/debian
    touch "$root/.complete"
fi
preload=''
[ ! -e "$root/usr/lib/postgresql/$postgres/lib/pg_textsearch.so" ] || preload=pg_textsearch

data=$(mktemp -d "$root/srv/mailweave.XXXXXX")
inside=${data#"$root"}
as_postgres() { chroot --userspec=postgres:postgres "$root" env LC_ALL=C.UTF-8 "$@"; }
stop() {
    as_postgres "$bin/pg_ctl" -D "$inside/data" -m immediate -w stop >/dev/null 2>&1 || true
    rm -rf "$data"
}
trap stop EXIT
trap 'exit 130' INT TERM HUP

password=$(head -c 18 /dev/urandom | base64 | tr -d '/+=')
port=$(.venv/bin/python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
printf '%s\n' "$password" >"$data/password"
chroot "$root" chown -R postgres:postgres "$inside"
as_postgres "$bin/initdb" -D "$inside/data" --username=owner --pwfile="$inside/password" --auth=scram-sha-256 \
    --encoding=UTF8 --locale=C.UTF-8 --no-sync >/dev/null
cat >>"$data/data/postgresql.conf" <<END
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = ''
shared_preload_libraries = '$preload'
shared_buffers = 256MB
max_connections = 100
fsync = off
log_checkpoints = off
END
# as the embedded server has it: a query that takes memory without end is an error, not the end of this machine
(ulimit -d $((2 * 1024 * 1024)) && as_postgres "$bin/pg_ctl" -D "$inside/data" -l "$inside/log" -w start >/dev/null) ||
    { cat "$data/log"; exit 1; }

export MAILWEAVE_TEST_DSN="postgresql://owner:$password@127.0.0.1:$port/mailweave"
[ $# -gt 0 ] || set -- tests --ignore-glob='tests/ui/test_page*'
.venv/bin/python -m pytest "$@" || { code=$?; tail -n 20 "$data/log" >&2; exit $code; }
