# Makes .venv and brings it to what uv.lock says, and the servers of the tests. Sourced by ./demo and ./test, at the top of the repository.
# Needs Python 3.11 or newer with its venv module, and PyPI. Nothing outside .venv and the user's caches is written, but for what make_servers
# installs.

UV_VERSION=0.13.9

# find_python: prints the first Python of 3.11 or newer that can make an environment; says what is missing and fails otherwise.
find_python() {
    local candidate found=""
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do
        command -v "$candidate" >/dev/null 2>&1 || continue
        "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
        found=$candidate
        "$candidate" -c 'import venv' 2>/dev/null || continue
        "$candidate" -c 'import ensurepip' 2>/dev/null || "$candidate" -m pip --version >/dev/null 2>&1 || continue
        printf '%s\n' "$candidate"
        return 0
    done
    if [ -n "$found" ]; then
        echo "$found has neither ensurepip nor pip. On Debian or Ubuntu: apt-get install python3-venv (or python3-pip)" >&2
    else
        echo "Python 3.11 or newer is needed and was not found (looked for python3, python3.11 to python3.14, python)." >&2
    fi
    return 1
}

# install_uv: by the environment's own pip, or else by the pip of the Python that made it.
install_uv() {
    local pip=(.venv/bin/python -m pip)
    "${pip[@]}" --version >/dev/null 2>&1 || .venv/bin/python -m ensurepip --upgrade >/dev/null 2>&1 ||
        pip=("$(find_python)" -m pip --python .venv/bin/python)
    "${pip[@]}" install --quiet --disable-pip-version-check "uv==$UV_VERSION"
}

# make_environment [uv sync options]: .venv as locked. Quick when there is nothing to do.
make_environment() {
    local python
    if [ ! -x .venv/bin/python ]; then
        python=$(find_python) || return 1
        echo "Making .venv with $("$python" --version)"
        # Some distributions leave ensurepip out of Python: then its own pip, if it has one, fills the environment.
        "$python" -m venv .venv 2>/dev/null || { rm -rf .venv && "$python" -m venv --without-pip .venv; } || { echo "The environment .venv could not be made; remove the folder and try again." >&2; return 1; }
    fi
    if [ "$(.venv/bin/uv --version 2>/dev/null | cut -d' ' -f2)" != "$UV_VERSION" ]; then
        echo "Installing uv $UV_VERSION into .venv"
        install_uv || {
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

# make_servers: the real servers that the tests need, from the distribution's packages if we are root; else says what is missing and fails.
make_servers() {
    local missing=()
    command -v dovecot >/dev/null 2>&1 || [ -x /usr/sbin/dovecot ] || missing+=(dovecot-imapd)
    command -v initdb >/dev/null 2>&1 || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
    [ "${#missing[@]}" -eq 0 ] && return 0
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
        echo "The tests need: ${missing[*]}. On Debian or Ubuntu: apt-get install ${missing[*]}" >&2
        return 1
    fi
    echo "Installing ${missing[*]}"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >/dev/null || {
        echo "${missing[*]} could not be installed: is the network there?" >&2
        return 1
    }
}

# audit_packages [URL]: fails, naming them, if locked packages have known faults; or if the list of those cannot be had. URL: a list of one's own.
audit_packages() {
    local ask=(.venv/bin/uv audit --locked --preview-features audit-command)
    [ -n "${1-}" ] && ask+=(--service-url "$1")
    export UV_PROJECT_ENVIRONMENT=.venv UV_PYTHON_DOWNLOADS=never
    "${ask[@]}" && return 0
    echo "The audit found faults, or could not ask for them: see above." >&2
    return 1
}
