import LinuxPlatform

/// The file with the records of a pack that is arriving.
final class PackJournal {
    private let locked: LockedFile
    private let path: String
    private var length: UInt64 = 0
    private var waiting: [UInt8] = []

    /// - Parameters:
    ///   - locked: the file, open for reading and writing
    ///   - path: its path for messages
    init(_ locked: consuming LockedFile, path: String) {
        self.locked = locked
        self.path = path
    }

    func isEmpty() throws(ResourceError) -> Bool {
        try explaining(path) { () throws(SystemError) in try locked.descriptor.facts() }.size == 0
    }

    func append(_ bytes: [UInt8]) {
        waiting += bytes
    }

    /// Writes the appended bytes. If the process is killed before, they must be sent again.
    func flush() throws(ResourceError) {
        guard !waiting.isEmpty else { return }
        let failure: SystemError? = waiting.withUnsafeBytes { bytes in
            do throws(SystemError) {
                try locked.descriptor.write(bytes, at: length)
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
            try locked.descriptor.truncate(to: length)
        } catch {
            throw ResourceError(error, at: path)
        }
    }

    func read(into room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ResourceError) -> Int {
        do {
            return try locked.descriptor.read(into: room, at: offset)
        } catch {
            throw ResourceError(error, at: path)
        }
    }
}
