/// Shell scripts that run inside a host or the switch. Arguments are `$1`, `$2`…, so nothing needs quoting. Each script
/// ends at its first failed step.
enum Scripts {
    /// Sets up a host and becomes its keeper. ``KeeperWords`` has the arguments.
    static let hostKeeper = """
        \(layOut)
        mkdir -p /run/dbus /run/huddle-lab/home /run/user/0 /run/lock
        chmod 700 /run/user/0
        hostname "$0"
        # Asking the network whether an address is taken delays it by more than a second.
        echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad
        ip link set lo up
        \(adoptAvahi)
        \(becomeKeeper)
        """

    /// Sets up the switch, which needs no address of its own.
    static let switchKeeper = """
        \(layOut)
        echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6
        ip link add lan type bridge mcast_snooping 0
        ip link set lan up
        \(becomeKeeper)
        """

    /// Hides the files of this machine's own daemons below `/run`. The network stays.
    static let privateKeeper = """
        \(layOut)
        \(adoptAvahi)
        \(becomeKeeper)
        """

    /// Makes a `/run` like that of a machine after its start, with the lab's own files.
    private static let layOut = """
        set -e
        mount --make-rprivate /
        mount -t proc proc /proc
        mount -t tmpfs -o mode=755 tmpfs /run
        mkdir -p /run/avahi-daemon /run/huddle-lab
        printf '%s' "$1" > /run/huddle-lab/start-daemon
        printf '%s' "$2" > /run/huddle-lab/bus.conf
        printf '%s' "$3" > /run/huddle-lab/avahi.conf
        """

    /// Gives the present user the name `avahi`. Avahi gives its folder to the user `avahi`, even with the option to
    /// keep its user. Without root there is only one user, so that user gets this name.
    private static let adoptAvahi = """
        if [ -n "$4" ]; then
            sed "s/^avahi:\\([^:]*\\):[0-9]*:[0-9]*:/avahi:\\1:$4:$5:/" /etc/passwd > /run/huddle-lab/passwd
            sed "s/^avahi:\\([^:]*\\):[0-9]*:/avahi:\\1:$5:/" /etc/group > /run/huddle-lab/group
            mount --bind /run/huddle-lab/passwd /etc/passwd
            mount --bind /run/huddle-lab/group /etc/group
        fi
        """

    /// Turns the script into the keeper: `cat` reads the lab's pipe until it closes. It ignores ended children, so the
    /// kernel removes them by itself, also those that a first process inherits.
    private static let becomeKeeper = """
        echo ready
        exec > /dev/null 2>&1
        trap '' CHLD
        cd /
        exec cat
        """

    /// Plugs a host's cable into the switch. `$1`: the host's number, `$2`: its keeper's number outside.
    static let plugIn = """
        set -e
        ip link add "p$1" type veth peer name eth0 address "02:77:00:00:00:$(printf %02x "$1")" netns "$2"
        ip link set "p$1" master lan up
        """

    /// Configures the network of a host. `$1`: the host's number.
    static let configureNetwork = """
        set -e
        ip address add "10.77.0.$1/24" dev eth0
        ip address add "fd77::$1/64" dev eth0 nodad
        ip link set eth0 up
        ip route add 224.0.0.0/4 dev eth0
        """

    /// Starts a daemon that outlives this script, and waits until it reports that it is ready.
    /// `$1`: its name, `$2`: the text of that report, the rest: its command.
    static let startDaemon = """
        exec sh /run/huddle-lab/start-daemon "$@"
        """

    /// The script that starts a daemon. It is a file, since parts of it run as long as the daemon and would fill lists
    /// of processes.
    ///
    /// The daemon's output goes to a log. The lock is held until it has ended and its last output is in the log.
    static let startDaemonFile = """
        cd /run/huddle-lab
        name=$1 ready=$2
        shift 2
        exec 9>>"$name.lock"
        flock -n 9 || { echo "$name runs already" >&2; exit 1; }
        rm -f "$name.ready"
        mkfifo "$name.ready"
        : > "$name.log"
        {
            exec < /dev/null > /dev/null 2>&1 3> "$name.ready"
            {
                sh -c 'echo $$ > "$0"; exec "$@"' "$name.pid" "$@" 2>&1 3>&- 9>&-
                echo "lab: $name ended with code $?"
            } | while IFS= read -r line; do
                printf '%s\\n' "$line" >> "$name.log"
                case $line in
                *"$ready"* | "lab: $name ended"*)
                    printf '%s\\n' "$line" >&3
                    exec 3> /dev/null
                    ;;
                esac
            done
        } &
        exec 9>&-
        IFS= read -r line < "$name.ready"
        case $line in
        *"$ready"*) ;;
        *)
            tail -n 20 "$name.log" >&2
            exit 1
            ;;
        esac
        """

    /// Ends a daemon and waits for its end. Without a running daemon it succeeds. `$1`: its name, `$2`: the signal.
    static let stopDaemon = """
        cd /run/huddle-lab
        exec 9>>"$1.lock"
        flock -n 9 && exit 0
        kill "-$2" "$(cat "$1.pid")"
        flock -w 5 9 && exit 0
        kill -KILL "$(cat "$1.pid")"
        flock -w 5 9 || { echo "$1 does not end" >&2; exit 1; }
        """

    /// Waits until a daemon has ended by itself, and kills one that does not. `$1`: its name.
    ///
    /// Avahi 0.8 ends without its bus, but in about one of forty runs it spins in its main loop instead.
    static let awaitDaemonEnd = """
        cd /run/huddle-lab
        exec 9>>"$1.lock"
        flock -w 2 9 && exit 0
        kill -KILL "$(cat "$1.pid")"
        flock -w 5 9 || { echo "$1 does not end" >&2; exit 1; }
        """

    /// Succeeds if a daemon runs. `$1`: the daemon's name.
    static let daemonRuns = """
        cd /run/huddle-lab
        exec 9>>"$1.lock"
        ! flock -n 9
        """

    /// Pulls or plugs a host's cable. `$1`: the host's number, `$2`: up or down.
    static let setCable = """
        ip link set "p$1" "$2"
        """

    static let isolate = """
        ip link set "p$1" nomaster
        """

    /// Plugs the cable in again, behind the relay if there is one.
    static let rejoin = """
        set -e
        if [ -n "$(ip -o link show type bridge dev "mid$1" 2> /dev/null)" ]; then
            ip link set "p$1" master "mid$1"
        else
            ip link set "p$1" master lan
        fi
        """

    /// Drops multicast frames to a host, or lets them pass. Unicast and broadcast frames still pass, as with access
    /// points that save air time. `$1`: the host's number, `$2`: on or off.
    static let setMulticast = """
        ip link set "p$1" type bridge_slave mcast_flood "$2"
        """

    /// Puts a relay between a host's cable and the bridge; an isolated host stays isolated.
    static let insertRelay = """
        set -e
        ip link add "mid$1" type bridge mcast_snooping 0
        ip link set "mid$1" up
        ip link set "near$1" master "mid$1" up
        ip link set "far$1" master lan up
        if ip -o link show "p$1" | grep -q ' master '; then ip link set "p$1" master "mid$1"; fi
        """

    /// Removes the relay from the path. The relay itself must still be ended.
    static let bypassRelay = """
        set -e
        if ip -o link show "p$1" | grep -q " master mid$1 "; then ip link set "p$1" master lan; fi
        if ip -o link show "mid$1" > /dev/null 2>&1; then ip link delete "mid$1"; fi
        """

    /// Adds an interface without a cable. `$1`: the name, the rest: addresses.
    static let addUnpluggedInterface = """
        set -e
        name=$1
        shift
        ip link add "$name" type bridge
        for address; do ip address add "$address" dev "$name"; done
        ip link set "$name" up
        """

    /// Adds a cable to another network. `$1`: the network, `$2`: the port, `$3`: the name in the host, `$4`: its
    /// keeper.
    static let plugInExtra = """
        set -e
        if ! ip -o link show "$1" > /dev/null 2>&1; then
            ip link add "$1" type bridge mcast_snooping 0
            ip link set "$1" up
        fi
        ip link add "$2" type veth peer name "$3" netns "$4"
        ip link set "$2" master "$1" up
        """

    /// Configures an interface to another network. `$1`: the name, the rest: addresses.
    static let configureExtra = """
        set -e
        name=$1
        shift
        for address; do ip address add "$address" dev "$name"; done
        ip link set "$name" up
        """

    /// Removes an interface. `$1`: the name.
    static let removeInterface = """
        ip link delete "$1"
        """
}
