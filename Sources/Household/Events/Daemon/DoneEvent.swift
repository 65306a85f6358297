/// The request is done. Commands do not print it.
package struct DoneEvent: EventPayload, Codable {
    /// Failure of a part of the request, which an earlier line has told.
    package var problem: PassedOnError?
    /// Number of written bytes of a stream.
    package var bytes: UInt64?

    package init(_ failure: (any Error)? = nil, bytes: UInt64? = nil) {
        (problem, self.bytes) = (failure.map { PassedOnError($0) }, bytes)
    }

    package var event: String { "done" }
}
