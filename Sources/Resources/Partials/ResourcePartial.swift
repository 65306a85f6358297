import Vocabulary

/// What has arrived of a resource, beside its place.
protocol ResourcePartial: AnyObject {
    /// Whether anything has arrived that another attempt could use.
    func holdsSomething() throws(ResourceError) -> Bool

    /// Digests the stream's bytes that are there, from the first on.
    func readBack(into digester: inout StreamDigester) throws(ResourceError)

    /// Forgets what comes after the offset, and is ready for the byte there.
    func start(at offset: UInt64) throws(ResourceError)

    /// Takes the stream's next bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws(ResourceError)

    /// How many bytes its files hold, once it is flushed.
    var contentBytes: UInt64 { get }

    /// Makes it what it will be under its name, down to the disk.
    func flush() throws(ResourceError)

    /// Gives the flushed resource its name, or one like it.
    func adopt(as name: FileName) throws(ResourceError) -> FileName

    /// Removes everything that arrived.
    func remove() throws(ResourceError)
}
