import LinuxPlatform

/// The file that the records of a pack are kept in while it arrives.
final class PackJournal {
    let file: OwnedDescriptor
    private let path: String
    private var length: UInt64 = 0
    private var waiting: [UInt8] = []

    /// - Parameters:
    ///   - file: open for reading and writing, locked
    ///   - path: where it is, for a person
    init(_ file: consuming OwnedDescriptor, path: String) {
        self.file = file
        self.path = path
    }

    func append(_ bytes: [UInt8]) {
        waiting += bytes
    }

    /// Writes what was appended. A killed process loses what was not; that has to be sent again.
    func flush() throws(ResourceError) {
        guard !waiting.isEmpty else { return }
        let failure: SystemError? = waiting.withUnsafeBytes { bytes in
            do throws(SystemError) {
                try file.write(bytes, at: length)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw ResourceError(failure, at: path) }
        length += UInt64(waiting.count)
        waiting.removeAll(keepingCapacity: true)
    }

    func truncate(to length: UInt64) throws(ResourceError) {
        waiting = []
        self.length = length
        do {
            try file.truncate(to: length)
        } catch {
            throw ResourceError(error, at: path)
        }
    }

    func read(into room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ResourceError) -> Int {
        do {
            return try file.read(into: room, at: offset)
        } catch {
            throw ResourceError(error, at: path)
        }
    }
}
