# Candidate Bot in a container: no root, nothing of its own to write but /app/data.
# Build and run it with compose.yaml; docs/operation.md says how.

# SQLite without the WAL-reset bug (fixed in 3.51.3). The stable Debian below has an older one, so
# this builds the source of Debian's next release, whose signature apt checks. The library alone is
# taken from here; it needs nothing newer than the image it is built in.
FROM debian:trixie-slim AS sqlite
SHELL ["/bin/sh", "-euc"]
RUN cd /etc/apt/sources.list.d; \
    sed -e 's/^Types: deb$/Types: deb-src/' -e 's/^Suites: .*/Suites: forky/' -e '/^$/,$d' \
        debian.sources > forky.sources; \
    apt-get update; \
    apt-get install -y --no-install-recommends gcc libc6-dev make xz-utils; \
    rm -rf /var/lib/apt/lists/*
WORKDIR /build
RUN apt-get update; \
    apt-get source --download-only sqlite3; \
    rm -rf /var/lib/apt/lists/*; \
    rm -f ./*www*; \
    mkdir source; \
    tar -xf sqlite3_*.orig.tar.xz -C source --strip-components=1; \
    cd source; \
    ./configure --disable-tcl; \
    make sqlite3.c; \
    gcc -O2 -fPIC -shared -Wl,-soname,libsqlite3.so.0 \
        -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_ENABLE_DBSTAT_VTAB \
        -DSQLITE_SECURE_DELETE -DSQLITE_THREADSAFE=1 -DSQLITE_USE_URI \
        sqlite3.c -o /build/libsqlite3.so.0 -lm -lpthread

# What the bot needs, each with its pinned hash.
FROM python:3.13-slim-trixie AS packages
COPY requirements.txt /tmp/requirements.txt
RUN python -m venv /opt/venv && \
    /opt/venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes \
        -r /tmp/requirements.txt

FROM python:3.13-slim-trixie
COPY --from=sqlite /build/libsqlite3.so.0 /opt/sqlite/libsqlite3.so.0
COPY --from=packages /opt/venv /opt/venv
ENV LD_LIBRARY_PATH=/opt/sqlite \
    PATH=/opt/venv/bin:/usr/local/bin:/usr/bin:/bin \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
WORKDIR /app
COPY . .
# The folder of the one volume belongs to the bot; all else to root. An image with the wrong SQLite
# is none.
RUN groupadd --gid 10001 bot && \
    useradd --uid 10001 --gid bot --no-create-home --home-dir /app --shell /usr/sbin/nologin bot && \
    install -d -o bot -g bot -m 0700 /app/data && \
    python -m compileall -q /app/bot /app/handlers /app/storage && \
    python -c "import sqlite3; assert sqlite3.sqlite_version_info >= (3, 51, 3), sqlite3.sqlite_version"
USER 10001:10001
VOLUME /app/data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=2m --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:%s/healthz' % (os.environ.get('PORT') or 3000), timeout=4)"]
ENTRYPOINT ["python", "-m", "bot"]
CMD ["run"]
