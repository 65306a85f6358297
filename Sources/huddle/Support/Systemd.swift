import Glibc

/// Tells if systemd runs on this machine, so that it can start the daemon for this user.
enum Systemd {
    static var runs: Bool { access("/run/systemd/system", F_OK) == 0 }
}
