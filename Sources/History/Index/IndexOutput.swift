import Digests
import LinuxPlatform

/// Writes an index file in blocks of 256 KiB and digests the bytes.
struct IndexOutput: ~Copyable {
    private let file: OwnedDescriptor
    private let calls: StoreCalls
    private var waiting: [UInt8] = []
    private var stream = SHA256Stream()
    private(set) var count: UInt64 = 0
    private var written: UInt64 = 0

    init(_ file: consuming OwnedDescriptor, _ calls: StoreCalls) {
        self.file = file
        self.calls = calls
    }

    mutating func append(_ bytes: [UInt8]) throws(HistoryError) {
        waiting += bytes
        count += UInt64(bytes.count)
        try flush(atLeast: 256 << 10)
    }

    mutating func append(_ entry: IndexEntry) throws(HistoryError) {
        entry.append(to: &waiting)
        count += UInt64(IndexEntry.byteCount)
        try flush(atLeast: 256 << 10)
    }

    mutating func finish() throws(HistoryError) {
        stream.update(waiting)
        waiting.append(stream.finish())
        try write()
    }

    borrowing func sync() throws(HistoryError) {
        try explaining { () throws(SystemError) in try calls.sync(file) }
    }

    private mutating func flush(atLeast limit: Int) throws(HistoryError) {
        guard waiting.count >= limit else { return }
        stream.update(waiting)
        try write()
    }

    private mutating func write() throws(HistoryError) {
        var failure: SystemError?
        waiting.withUnsafeBytes { bytes in
            do throws(SystemError) { try calls.write(file, bytes, written) } catch { failure = error }
        }
        if let failure { throw HistoryError(failure) }
        written += UInt64(waiting.count)
        waiting.removeAll(keepingCapacity: true)
    }

    consuming func release() -> OwnedDescriptor { file }
}
