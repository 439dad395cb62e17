# Makes .venv and brings it to what uv.lock says. Sourced by ./demo and ./test, which stand at the top of the repository.
# Needs Python 3.11 or newer with its venv module, and PyPI. Nothing outside .venv and the user's caches is written.

UV_VERSION=0.13.9

# find_python: prints the first Python of 3.11 or newer that can make an environment; says what is missing and fails otherwise.
find_python() {
    local candidate found=""
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do
        command -v "$candidate" >/dev/null 2>&1 || continue
        "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
        found=$candidate
        "$candidate" -c 'import venv, ensurepip' 2>/dev/null || continue
        printf '%s\n' "$candidate"
        return 0
    done
    if [ -n "$found" ]; then
        echo "$found has no venv module. On Debian or Ubuntu: apt-get install python3-venv" >&2
    else
        echo "Python 3.11 or newer is needed and was not found (looked for python3, python3.11 to python3.14, python)." >&2
    fi
    return 1
}

# make_environment [uv sync options]: .venv as locked. Quick when there is nothing to do.
make_environment() {
    local python
    if [ ! -x .venv/bin/python ]; then
        python=$(find_python) || return 1
        echo "Making .venv with $("$python" --version)"
        "$python" -m venv .venv || { echo "The environment .venv could not be made; remove the folder and try again." >&2; return 1; }
    fi
    if [ "$(.venv/bin/uv --version 2>/dev/null | cut -d' ' -f2)" != "$UV_VERSION" ]; then
        .venv/bin/python -m pip --version >/dev/null 2>&1 || .venv/bin/python -m ensurepip --upgrade >/dev/null || return 1
        echo "Installing uv $UV_VERSION into .venv"
        .venv/bin/python -m pip install --quiet --disable-pip-version-check "uv==$UV_VERSION" || {
            echo "uv $UV_VERSION could not be installed from PyPI: is the network there?" >&2
            return 1
        }
    fi
    # uv trusts the certificates that it brings; behind a proxy with its own, the system's are the right ones: the second try.
    local sync=(.venv/bin/uv sync --quiet --locked --inexact "$@")
    export UV_PROJECT_ENVIRONMENT=.venv UV_PYTHON_DOWNLOADS=never
    "${sync[@]}" 2>/dev/null || "${sync[@]}" --system-certs || {
        echo "The locked packages could not be installed: is the network there, and is uv.lock in step with pyproject.toml?" >&2
        return 1
    }
}
