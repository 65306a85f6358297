import CMicroHTTPD
import LinuxPlatform

/// One request and its response on a connection.
struct Exchange {
    enum State {
        /// The request is arriving.
        case receiving
        /// The handler runs, and the connection is suspended.
        case working
        /// The response is ready for the library.
        case ready(ControlResponse)
        /// The library has the response.
        case answered
    }

    let connection: OpaquePointer
    let method: String
    let url: String
    var head = RequestHead("", [])
    var state = State.receiving
    /// The parts of the path.
    var path: [String] { url.split(separator: "/").map(String.init) }
    var body: [UInt8] = []
    /// The number of bytes of the body so far, including skipped ones.
    var byteCount = 0
    /// The streamed body, if the handler runs while it arrives.
    var upload: Upload?
    var isAsleep = false
    /// The task that runs the handler, or gets the next bytes of its response.
    var task: Task<Void, Never>?
    /// The watch for a disconnection while the connection is suspended.
    var absence: DescriptorWatch?
    /// The source of a streamed response.
    var source: ControlResponse.Source?
    /// The bytes of the response that the library has not taken yet.
    var waiting: ArraySlice<UInt8> = []
    var hasEnded = false
    /// True if the response failed, so that its end must not be sent.
    var isBroken = false
}
