import Glibc

/// The service manager that could start the daemon for this user.
enum Systemd {
    /// Whether it runs here.
    static var runs: Bool { access("/run/systemd/system", F_OK) == 0 }
}
