import CLinux
import Glibc
import LinuxPlatform

/// A network interface whose frames this process reads and writes. It disappears with the value.
struct TapDevice: ~Copyable {
    private let descriptor: OwnedDescriptor

    /// Makes an interface in the network namespace of the calling process.
    init(named name: String) throws(SystemError) {
        let descriptor = OwnedDescriptor(
            takingOwnershipOf: try retrying("open", on: "/dev/net/tun") {
                open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK)
            }
        )
        var request = ifreq()
        withUnsafeMutableBytes(of: &request.ifr_ifrn) { field in
            for (index, byte) in name.utf8.prefix(field.count - 1).enumerated() { field[index] = byte }
        }
        // Without IFF_VNET_HDR the kernel computes checksums and cuts large segments before this process reads them.
        request.ifr_ifru.ifru_flags = Int16(IFF_TAP | IFF_NO_PI)
        try retrying("TUNSETIFF", on: name) { huddle_tun_attach(descriptor.number, &request) }
        self.descriptor = descriptor
    }

    var number: CInt { descriptor.number }

    /// The next frame; nil if there is none yet.
    func read(into buffer: inout [UInt8]) throws(SystemError) -> ArraySlice<UInt8>? {
        let count = try retryingUnlessBlocked("read") {
            buffer.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, $0.count) }
        }
        return count.map { buffer[..<$0] }
    }

    /// Passes a frame to the kernel. If the interface is down, the frame is lost, as on any cable.
    func write(_ frame: [UInt8]) {
        _ = frame.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
    }
}
