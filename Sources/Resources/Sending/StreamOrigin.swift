/// What a resource's stream is read from.
protocol StreamOrigin: AnyObject {
    /// Fills the room with the stream's bytes from an offset on; so many are there.
    func fill(_ room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ResourceError)

    /// Throws where the source is no longer what it was when it was offered.
    func requireUnchanged() throws(ResourceError)
}
