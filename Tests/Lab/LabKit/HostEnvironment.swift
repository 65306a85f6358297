import LinuxPlatform

/// The environment that programs on a host get: ours, without what points at this machine's own bus and folders.
enum HostEnvironment {
    /// A folder of the host's own, gone with it.
    static let home = "/run/huddle-lab/home"

    /// Names that would lead a program back to this machine's own services and files.
    private static let misleading = [
        "DBUS_SYSTEM_BUS_ADDRESS", "DBUS_SESSION_BUS_ADDRESS", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
        "XDG_STATE_HOME", "TMUX", "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "WATCHDOG_USEC", "WATCHDOG_PID",
    ]

    /// For the lab's own scripts: their output is read, so it must not be translated.
    static var plain: [String: String] {
        ["PATH": path(ProgramLaunch.ownEnvironment["PATH"]), "LC_ALL": "C"]
    }

    /// For programs of the lab's user.
    static func adding(_ added: [String: String]) -> [String: String] {
        var result = ProgramLaunch.ownEnvironment
        for name in misleading { result[name] = nil }
        result["PATH"] = path(result["PATH"])
        result["HOME"] = home
        // Inside, everybody is root.
        result["XDG_RUNTIME_DIR"] = "/run/user/0"
        // Or tmux would find this machine's own server, as /tmp is shared.
        result["TMUX_TMPDIR"] = "/run/user/0"
        return result.merging(added) { $1 }
    }

    /// The tools of a host are for administrators, so their folders are not in everybody's path.
    private static func path(_ own: String?) -> String {
        let folders = own ?? "/usr/local/bin:/usr/bin:/bin"
        return "\(folders):/usr/local/sbin:/usr/sbin:/sbin"
    }
}
