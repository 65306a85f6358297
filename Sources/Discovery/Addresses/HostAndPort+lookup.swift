public import LinuxPlatform
public import Vocabulary

extension HostAndPort {
    /// The socket addresses of the host: a literal address unchanged, a name below `.local` through Avahi, any other
    /// name through the system's resolver. Empty if the name is unknown.
    public func socketAddresses() async -> [SocketAddress] {
        await HostResolver(directory: AvahiDirectory.system).addresses(of: self)
    }
}
