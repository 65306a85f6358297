#!/bin/sh
# Installs, upgrades or removes Huddle from a release.
#
#   sh install.sh [--from URL|FOLDER] [--key FILE] [--prefix FOLDER] [--start]   for one user, without root
#   sh install.sh --system [--from URL|FOLDER] [--key FILE]                      the Debian package, as root
#   sh install.sh --remove [--prefix FOLDER] | --remove --system                 settings and saves stay
#
# Exit codes: 0 done, 1 it failed, 2 wrong usage, 3 the release is not what it claims to be.
set -eu
umask 022

usage() {
    cat <<'EOF'
usage: sh install.sh [options]

  --from URL|FOLDER  the folder of the release (default: the folder of install.sh)
  --key FILE         the public key in PEM that must have signed the release (default: no check)
  --prefix FOLDER    the folder to install below (default: ~/.local)
  --start            start the daemon now and at every login
  --system           install the Debian package for all users; needs root
  --remove           remove Huddle; settings, saves and their history stay
  --help             show this
EOF
}

# The cause, then the hint, then the exit code.
fail() {
    printf 'error: %s\n' "$1" >&2
    [ -z "$2" ] || printf 'hint: %s\n' "$2" >&2
    exit "${3:-1}"
}

main() {
    from='' key='' prefix='' start=no system=no action=install
    while [ $# -gt 0 ]; do
        case $1 in
        --from | --key | --prefix)
            [ $# -ge 2 ] && [ -n "$2" ] || fail "$1: the value is missing" "run: sh install.sh --help" 2
            case $1 in
            --from) from=$2 ;;
            --key) key=$2 ;;
            --prefix) prefix=$2 ;;
            esac
            shift
            ;;
        --start) start=yes ;;
        --system) system=yes ;;
        --remove) action=remove ;;
        --help)
            usage
            exit 0
            ;;
        *) fail "unknown option: $1" "run: sh install.sh --help" 2 ;;
        esac
        shift
    done
    if [ "$system" = yes ]; then
        [ "$(id -u)" = 0 ] || fail "--system needs root" "run it with sudo, or leave out --system to install for yourself"
        [ -z "$prefix" ] || fail "--prefix: the package has a place of its own" "leave out --prefix or --system" 2
        [ "$start" = no ] || fail "--start: each user starts the daemon" "run as that user: systemctl --user enable --now huddled" 2
    else
        # What root puts below root's home is of no use to the user who plays.
        [ "$(id -u)" != 0 ] || [ -n "$prefix" ] ||
            fail "this installs for one user, and you are root" "run it as that user, or with --system for the Debian package"
        [ -n "$prefix" ] || prefix=${HOME:?}/.local
    fi
    [ "$action" = remove ] || [ -n "$from" ] || from=$(dirname "$0")

    if [ "$action" = remove ]; then
        remove
        return
    fi
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    check_list
    if [ "$system" = yes ]; then
        install_package
    else
        install_for_user
    fi
}

# MARK: - The release

# get NAME LARGEST: copies a file of the release into the work folder.
get() {
    case $from in
    https://* | http://*)
        # Without a key the connection alone protects what comes, so it must not be led to http:// either.
        protos='=https' hops='--max-redirect=0'
        [ -z "$key" ] || protos='=http,https' hops='--max-redirect=20'
        case $from in
        http://*) [ -n "$key" ] || fail "$from: http:// can be changed on its way" "use https://, or give the key with --key" ;;
        esac
        if command -v curl >/dev/null; then
            curl -fsSL --proto "$protos" --proto-redir "$protos" --connect-timeout 30 --max-time 1800 \
                --max-filesize "$2" -o "$work/$1" "${from%/}/$1"
        elif command -v wget >/dev/null; then
            wget -q -T 30 "$hops" -O "$work/$1" "${from%/}/$1"
        else
            fail "neither curl nor wget is installed" "install one of them, or download the release and give its folder with --from"
        fi || fail "$1 could not be downloaded from $from" "check the address and the network, then run this again"
        ;;
    *://*) fail "$from: only https://, http:// and folders work" "" 2 ;;
    *)
        [ -f "$from/$1" ] || fail "$from has no $1" "give the folder or address of a release with --from"
        cp "$from/$1" "$work/$1"
        ;;
    esac
}

# Reads the list of checksums, and checks who signed it.
check_list() {
    get SHA256SUMS 65536
    if [ -z "$key" ]; then
        echo "The signature is not checked: --key names no key."
        return
    fi
    [ -f "$key" ] || fail "$key: there is no such key" "give the public key in PEM with --key" 2
    command -v openssl >/dev/null || fail "openssl is not installed, so the signature cannot be checked" "install openssl"
    get SHA256SUMS.sig 4096
    openssl pkeyutl -verify -pubin -inkey "$key" -rawin -in "$work/SHA256SUMS" -sigfile "$work/SHA256SUMS.sig" \
        >/dev/null 2>&1 || fail "the signature is not by $key: nothing is installed" "download the release again, or ask who gave you the key" 3
    echo "The signature is by $key."
}

# fetch PATTERN: sets `file` to the one file of the release that the pattern (of grep) names, checked.
fetch() {
    file=$(sed -n 's/^[0-9a-f]\{64\}  //p' "$work/SHA256SUMS" | grep -x "$1") ||
        fail "the release has nothing for this machine ($(uname -m))" "build it from the sources: see README.md"
    [ "$(printf '%s\n' "$file" | wc -l)" -eq 1 ] || fail "the release names several files for this machine" "" 3
    get "$file" 500000000
    grep -Fx "$(sha256sum <"$work/$file" | cut -d' ' -f1)  $file" "$work/SHA256SUMS" >/dev/null ||
        fail "$file is damaged or not of this release: its SHA-256 differs" "download it again" 3
    echo "$file is complete: its SHA-256 is that of the list."
}

# MARK: - For one user

install_for_user() {
    fetch "huddle-[A-Za-z0-9.~+]*-$(uname -m)\\.tar\\.gz"
    folder=${file%.tar.gz}
    check_members
    # Inside the work folder of mktemp, so that no other user can put a link in between.
    mkdir "$work/unpacked"
    tar -xzf "$work/$file" --no-same-owner -C "$work/unpacked" || fail "$file cannot be unpacked" "download it again"
    was=new
    [ ! -e "$prefix/lib/huddle" ] || was=upgraded
    bash "$work/unpacked/$folder/install" "$prefix" || fail "Huddle could not be installed below $prefix" "check its space and permissions"
    echo "Huddle is $was below $prefix."
    restart_or_start
}

# An archive has folders and plain files below its own folder; a link or a name that leads out is refused before unpacking.
check_members() {
    tar -tzf "$work/$file" >"$work/names" 2>/dev/null && tar -tvzf "$work/$file" >"$work/members" 2>/dev/null ||
        fail "$file is no archive that tar reads" "download it again" 3
    if grep -v '^[-d]' "$work/members" >/dev/null; then
        fail "$file has a link or a device in it: nothing is installed" "" 3
    fi
    # shellcheck disable=SC1003
    if grep -Ev "^$(printf %s "$folder" | sed 's/[.+]/\\&/g')/" "$work/names" >/dev/null ||
        grep -E '(^|/)\.\.(/|$)|\\' "$work/names" >/dev/null; then
        fail "$file has a name that leads out of its folder: nothing is installed" "" 3
    fi
}

# Whether the systemd of this user can be asked.
has_systemd() {
    command -v systemctl >/dev/null && systemctl --user show-environment >/dev/null 2>&1
}

# A daemon that runs gets the new program; one that does not run starts only if the user asked for it.
restart_or_start() {
    if ! has_systemd; then
        echo "No systemd runs for this user. Start the daemon by hand: $prefix/bin/huddled"
        [ "$start" = no ] || fail "--start: systemd is needed to start the daemon" "run: $prefix/bin/huddled"
        return
    fi
    systemctl --user daemon-reload
    if [ "$start" = yes ]; then
        systemctl --user enable --quiet --now huddled
        systemctl --user restart huddled
        echo "The daemon runs now and starts at every login."
    elif systemctl --user is-active --quiet huddled.service; then
        systemctl --user restart huddled.service
        echo "The daemon has restarted."
    fi
}

# MARK: - For all users

install_package() {
    command -v apt-get >/dev/null || fail "--system needs Debian or a system with apt-get" "leave out --system to install for yourself"
    fetch "huddle_[A-Za-z0-9.~+]*_$(dpkg --print-architecture)\\.deb"
    # The user _apt reads it there.
    chmod 755 "$work"
    apt-get -q install --yes "$work/$file" || fail "apt-get could not install $file" "see what it says above"
    echo "Huddle is installed. Each user starts it: systemctl --user enable --now huddled"
}

# MARK: - Removal

remove() {
    if [ "$system" = yes ]; then
        apt-get -q remove --yes huddle || fail "apt-get could not remove huddle" "see what it says above"
        echo "Huddle is removed. Settings, saves and their history stay."
        return
    fi
    [ -x "$prefix/lib/huddle/uninstall" ] ||
        fail "Huddle is not installed below $prefix" "name the folder with --prefix, or use --system for the Debian package"
    "$prefix/lib/huddle/uninstall"
}

main "$@"
