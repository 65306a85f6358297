import Glibc

/// systemd, which can start the daemon for this user.
enum Systemd {
    /// True if systemd runs here.
    static var runs: Bool { access("/run/systemd/system", F_OK) == 0 }
}
