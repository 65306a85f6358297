/// The address of the notification service on the bus.
///
/// - SeeAlso: the Desktop Notifications Specification of freedesktop.org.
enum NotificationService {
    static let name = "org.freedesktop.Notifications"
    static let path = "/org/freedesktop/Notifications"
    static let rule = "type='signal',sender='\(name)',path='\(path)',interface='\(name)'"
}
