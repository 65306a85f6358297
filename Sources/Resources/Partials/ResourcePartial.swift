import Vocabulary

/// The part of a resource that has arrived, stored under a temporary name.
protocol ResourcePartial: AnyObject {
    /// True if bytes have arrived that another attempt could use.
    func holdsSomething() throws(ResourceError) -> Bool

    /// Digests the stored bytes of the stream from the first one.
    func readBack(into digester: inout StreamDigester) throws(ResourceError)

    /// Discards the bytes after the offset and continues there.
    func start(at offset: UInt64) throws(ResourceError)

    /// Stores the next bytes of the stream.
    func write(_ bytes: UnsafeRawBufferPointer) throws(ResourceError)

    /// Total size of its files in bytes, known after ``flush()``.
    var contentBytes: UInt64 { get }

    /// Completes the resource and writes it to the disk.
    func flush() throws(ResourceError)

    /// Renames the flushed resource to the wanted name or a numbered one.
    func adopt(as name: FileName) throws(ResourceError) -> FileName

    /// Removes everything that has arrived.
    func remove() throws(ResourceError)
}
