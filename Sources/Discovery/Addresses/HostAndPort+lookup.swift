public import LinuxPlatform
public import Vocabulary

extension HostAndPort {
    /// Where this leads: a literal address as it is, a name below `.local` through Avahi, any other through the system's
    /// resolver. Empty where nobody knows.
    public func socketAddresses() async -> [SocketAddress] {
        await HostResolver(directory: AvahiDirectory.system).addresses(of: self)
    }
}
