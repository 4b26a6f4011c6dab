# Shared by the scripts here; sourced, not run.

# The repository's root, whatever folder a script is called from.
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CARGO_TERM_PROGRESS_WHEN=never
# Debian keeps daemons in /usr/sbin, which is not on everybody's path.
PATH="$PATH:/usr/sbin:/sbin"

# step NAME COMMAND...: runs a command, tells how long it took, passes its failure on.
step() {
    local name=$1 begin=$SECONDS status=0
    shift
    printf '\n== %s\n' "$name"
    "$@" || status=$?
    printf '== %s: %s after %d s\n' "$name" "$([ $status = 0 ] && echo ok || echo FAILED)" $((SECONDS - begin))
    return $status
}

# need PROGRAM PACKAGE ...: sees to it that the programs are there; installs the Debian packages of
# those that are missing when it may, and names them when it may not.
need() {
    local missing=()
    while [ $# -gt 0 ]; do
        command -v "$1" >/dev/null || missing+=("$2")
        shift 2
    done
    install_missing "${missing[@]}"
}

# need_file FILE PACKAGE ...: the same for what is no program.
need_file() {
    local missing=()
    while [ $# -gt 0 ]; do
        [ -e "$1" ] || missing+=("$2")
        shift 2
    done
    install_missing "${missing[@]}"
}

install_missing() {
    [ $# -gt 0 ] || return 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "installing Debian packages: $*"
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -qq </dev/null && apt-get install -y -qq --no-install-recommends "$@" </dev/null
    else
        echo "missing Debian packages: $*" >&2
        echo "install them with: sudo apt-get install $*" >&2
        return 1
    fi
}
