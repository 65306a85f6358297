import LinuxPlatform

/// The environment of programs on a host: that of this process, without this machine's own bus and folders.
enum HostEnvironment {
    /// A folder of the host, which is removed with it.
    static let home = "/run/huddle-lab/home"

    /// The variables that would lead a program to this machine's own services and files.
    private static let misleading = [
        "DBUS_SYSTEM_BUS_ADDRESS", "DBUS_SESSION_BUS_ADDRESS", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
        "XDG_STATE_HOME", "TMUX", "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "WATCHDOG_USEC", "WATCHDOG_PID",
    ]

    /// The environment of the lab's scripts. Their output is parsed, so it must not be translated.
    static var plain: [String: String] {
        ["PATH": path(ProgramLaunch.ownEnvironment["PATH"]), "LC_ALL": "C"]
    }

    /// The environment of programs of the lab's user.
    static func adding(_ added: [String: String]) -> [String: String] {
        var result = ProgramLaunch.ownEnvironment
        for name in misleading { result[name] = nil }
        result["PATH"] = path(result["PATH"])
        result["HOME"] = home
        // Inside, all users are root.
        result["XDG_RUNTIME_DIR"] = "/run/user/0"
        // Without this, tmux would find this machine's own server, since /tmp is shared.
        result["TMUX_TMPDIR"] = "/run/user/0"
        return result.merging(added) { $1 }
    }

    /// The search path with the folders of administrators' tools, which not every user's path has.
    private static func path(_ own: String?) -> String {
        let folders = own ?? "/usr/local/bin:/usr/bin:/bin"
        return "\(folders):/usr/local/sbin:/usr/sbin:/sbin"
    }
}
