/// Limits on everything that a device sends. The protocol allows messages of 500 MB, which would fill this machine's
/// memory.
package enum BridgeLimits {
    /// The longest message in bytes, compressed or not: two blocks of the greatest size.
    package static let message = 32 << 20
    /// The longest header of a message in bytes; one has four.
    package static let header = 64
    /// The longest Hello in bytes, as the protocol says.
    package static let hello = 32_767
    /// The most files of one Index message. Syncthing sends 1,000.
    package static let filesPerMessage = 10_000
    /// The most blocks of one file, enough for 1 TiB in blocks of the greatest size.
    package static let blocksPerFile = 65_536
    /// The most devices that changed one file.
    package static let counters = 256
    /// The longest name of a file in bytes, as for the kernel.
    package static let name = 4_096
    /// The longest of all other texts in bytes.
    package static let text = 2_048
    /// The most folders of a ClusterConfig, and the most devices of a folder.
    package static let folders = 1_024
    /// The most addresses of a device.
    package static let addresses = 64
    /// The greatest size of a block in bytes, and of a request.
    package static let block = 16 << 20
}
