import Glibc
import Vocabulary

extension AtomicFile {
    /// Reads the whole file.
    ///
    /// - Parameters:
    ///   - folder: the folder of the file
    ///   - limit: maximum number of bytes; it never reads or reserves more
    /// - Throws: `SystemError` with `EFBIG` if there are more, and with `EBUSY` if another program changed the file
    ///   meanwhile, so that the bytes may be neither the old contents nor the new
    public func read(in folder: borrowing Folder, limit: Int) throws(SystemError) -> [UInt8] {
        let file = try folder.open(name)
        let before = try FileFacts(of: file.number, name)
        guard before.size <= limit else { throw SystemError("read", EFBIG, on: name.text) }
        var bytes: [UInt8] = []
        // One more than expected, so that the read meets the end without growing.
        bytes.reserveCapacity(before.size + 1)
        while let chunk = try readChunk(of: file.number, upTo: chunkSize(expecting: before.size, having: bytes.count)) {
            guard chunk.count <= limit - bytes.count else { throw SystemError("read", EFBIG, on: name.text) }
            bytes += chunk
        }
        guard try FileFacts(of: file.number, name) == before else { throw SystemError("read", EBUSY, on: name.text) }
        return bytes
    }

    private func chunkSize(expecting size: Int, having count: Int) -> Int {
        min(max(size - count, 0) + 1, 1 << 20)
    }

    private func readChunk(of file: CInt, upTo room: Int) throws(SystemError) -> [UInt8]? {
        var failure: SystemError?
        // because the kernel fills the bytes, and only as many count as it says it filled
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            do throws(SystemError) {
                count = try retrying("read", on: name.text) { calls.read(file, UnsafeMutableRawBufferPointer(buffer)) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes.isEmpty ? nil : bytes
    }
}
