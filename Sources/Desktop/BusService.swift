/// A service on a bus: its name, and the object and interface that Huddle uses.
struct BusService: Sendable {
    let name: String
    let path: String
    let interface: String

    /// A rule that subscribes to the signals of the service.
    var rule: String { "type='signal',sender='\(name)',path='\(path)',interface='\(interface)'" }
}

extension BusService {
    /// The notification service of the desktop.
    ///
    /// - SeeAlso: the Desktop Notifications Specification of freedesktop.org
    static let notifications = BusService(
        name: "org.freedesktop.Notifications",
        path: "/org/freedesktop/Notifications",
        interface: "org.freedesktop.Notifications"
    )

    /// The login manager.
    ///
    /// - SeeAlso:
    ///   [org.freedesktop.login1(5)](https://www.freedesktop.org/software/systemd/man/org.freedesktop.login1.html)
    static let logins = BusService(
        name: "org.freedesktop.login1",
        path: "/org/freedesktop/login1",
        interface: "org.freedesktop.login1.Manager"
    )
}
