import Glibc

/// The words that every keeper's script gets.
enum KeeperWords {
    /// - Parameters:
    ///   - busConfiguration: for a bus, where there is to be one
    ///   - avahiConfiguration: for Avahi
    ///   - avahiUser: who Avahi's user and group are to be; nil for who they are
    static func make(
        busConfiguration: String = "",
        avahiConfiguration: String = DaemonConfiguration.avahi,
        avahiUser: (uid_t, gid_t)? = nil
    ) -> [String] {
        let user = avahiUser.map { ["\($0.0)", "\($0.1)"] } ?? ["", ""]
        return [Scripts.startDaemonFile, busConfiguration, avahiConfiguration] + user
    }
}
