import Glibc

/// The user who typed `sudo` before the command.
enum SudoUser {
    /// Gives the process to the user for good if root runs it for that user by `sudo`. The doctor examines the user's
    /// files, daemon and key, and none of the files may become root's. Without `sudo` nothing changes.
    static func become() {
        guard geteuid() == 0, let text = getenv("SUDO_UID"), let user = uid_t(String(cString: text)), user != 0 else {
            return
        }
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var room = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(user, &entry, &room, room.count, &found) == 0, found != nil else { return }
        // because getpwuid_r has filled in both fields
        guard let name = entry.pw_name, let home = entry.pw_dir else { return }
        guard initgroups(name, entry.pw_gid) == 0, setgid(entry.pw_gid) == 0, setuid(user) == 0 else { return }
        // These variables name root's folders if sudo kept them. No other thread reads the environment yet.
        for variable in ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_DOWNLOAD_DIR"] {
            unsetenv(variable)
        }
        setenv("HOME", home, 1)
        setenv("XDG_RUNTIME_DIR", "/run/user/\(user)", 1)
    }
}
