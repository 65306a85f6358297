import CLinux
import Glibc

extension IPAddress {
    /// Asks the system's resolver. It blocks until the resolver answers: see ``runBlocking(_:_:)``.
    public static func lookUp(_ host: String) throws(SystemError) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, nil, &hints, &list)
        // Only EAI_SYSTEM sets errno; every other failure means that the name has no address.
        guard failure == 0 else { throw SystemError("getaddrinfo", failure == EAI_SYSTEM ? errno : ENOENT, on: host) }
        defer { freeaddrinfo(list) }
        return sequence(first: list, next: { $0?.pointee.ai_next }).prefix { $0 != nil }.compactMap { entry in
            guard let entry = entry?.pointee, let raw = entry.ai_addr else { return nil }
            var storage = sockaddr_storage()
            let size = min(Int(entry.ai_addrlen), MemoryLayout<sockaddr_storage>.size)
            withUnsafeMutableBytes(of: &storage) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: raw, count: size))
            }
            return SocketAddress(storage)?.address
        }
    }
}
