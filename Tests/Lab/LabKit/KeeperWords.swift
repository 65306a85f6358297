import Glibc

/// The arguments of every keeper's script.
enum KeeperWords {
    /// - Parameters:
    ///   - busConfiguration: the settings of a bus; nil without one
    ///   - avahiConfiguration: the settings of Avahi
    ///   - avahiUser: the user and group of Avahi; nil for the present ones
    static func make(
        busConfiguration: String = "",
        avahiConfiguration: String = DaemonConfiguration.avahi,
        avahiUser: (uid_t, gid_t)? = nil
    ) -> [String] {
        let user = avahiUser.map { ["\($0.0)", "\($0.1)"] } ?? ["", ""]
        return [Scripts.startDaemonFile, busConfiguration, avahiConfiguration] + user
    }
}
