/// The source of a resource's stream.
protocol StreamOrigin: AnyObject {
    /// Fills the room with the stream's bytes from an offset; the stream has that many.
    func fill(_ room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ResourceError)

    /// Throws if the source has changed since it was offered.
    func requireUnchanged() throws(ResourceError)
}
