# syntax=docker/dockerfile:1
# agentflow's server, with the bundled model in it:
#
#   docker build --tag agentflow .
#   docker run --rm --publish 127.0.0.1:8080:8080 --env AGENTFLOW_API_KEY agentflow
#
# docs/deploy.md says what the sandbox needs.

FROM python:3.12-slim-bookworm AS build

WORKDIR /src
COPY pyproject.toml requirements-dev.lock MANIFEST.in README.md LICENSE NOTICE ./
COPY agentflow agentflow
COPY graphs graphs
COPY prompts prompts
COPY tools tools

# The sdist first, and from it the wheel: what stands in the image is what is released.
RUN python -m pip install --no-cache-dir --constraint requirements-dev.lock build \
    && python -m build --outdir /wheels \
    && python -m venv /opt/agentflow \
    && /opt/agentflow/bin/python -m pip install --no-cache-dir \
        --constraint requirements-dev.lock "$(ls /wheels/*.whl)[mcp]"


FROM python:3.12-slim-bookworm

# OpenMP, for llama.cpp.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libgomp1=12.* \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --create-home agentflow

COPY --from=build /opt/agentflow /opt/agentflow
ENV PATH=/opt/agentflow/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1

USER 10001
WORKDIR /home/agentflow
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/health', timeout=4)"]

# Reachable from elsewhere, it starts only with a key: AGENTFLOW_API_KEY, or [serve.keys] in a file.
ENTRYPOINT ["agentflow"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080"]
