import Glibc
package import Vocabulary

/// The name of a machine without a chosen name.
package enum MachineName {
    /// The first part of the machine's host name.
    package static var own: InstanceName {
        if let name = try? InstanceName(host) { return name }
        guard let name = try? InstanceName("huddle") else { preconditionFailure("it obeys the rules of a name") }
        return name
    }

    /// The machine's name in multicast DNS, such as `deck.local`, if no other machine has the same. It is nil if the
    /// machine has no host name.
    package static var multicast: String? { host.isEmpty ? nil : "\(host).local" }

    private static var host: String {
        var buffer = [CChar](repeating: 0, count: 256)
        gethostname(&buffer, buffer.count - 1)
        let bytes = buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return String(decoding: bytes, as: UTF8.self).split(separator: ".").first.map(String.init) ?? ""
    }
}
