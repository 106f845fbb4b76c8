#!/usr/bin/env bash
# Builds the Python package in a virtual environment of its own and checks it: types, tests, the wheel.
# Needs Python 3.9 or later, and the network for pip. VENV names the environment, PYTHON the interpreter.
set -euo pipefail
cd "$(dirname "$0")"

python=${PYTHON:-python3}
target=${CARGO_TARGET_DIR:-$PWD/../target}
venv=${VENV:-$target/python-venv}
export OPTIMAL_PUZZLES_TABLES=${OPTIMAL_PUZZLES_TABLES:-$target/tmp/python-tables}
export PROGRAMS=${PROGRAMS:-$target/release}

if ! "$python" -c "import ensurepip, venv" 2> /dev/null && [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    apt-get update -qq
    apt-get install -yqq --no-install-recommends python3 python3-venv > /dev/null
fi
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check \
    maturin numpy pytest hypothesis mypy tqdm pandas nbclient nbformat ipykernel distributed pyperplan unified-planning \
    matplotlib
# These two need gigabytes of others; the tests use what needs none of them (tests/absent.py).
for package in cayleypy==0.2.0 deepxube==0.3.2; do
    "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps "$package" ||
        echo "$package is not available for this Python: its tests are skipped"
done

wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
"$venv/bin/maturin" build --release --locked --quiet --interpreter "$venv/bin/python" --out "$wheels"
export WHEEL=$(echo "$wheels"/*.whl)
echo "$(basename "$WHEEL"): $(stat -c %s "$WHEEL" 2> /dev/null || stat -f %z "$WHEEL") bytes"
"$venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$WHEEL"

"$venv/bin/mypy" --python-executable "$venv/bin/python"
"$venv/bin/pytest" "$@"
