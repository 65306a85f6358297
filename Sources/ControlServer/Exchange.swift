import CMicroHTTPD
import LinuxPlatform

/// One request and its answer, on one connection.
struct Exchange {
    /// How far it is.
    enum State {
        /// The request is still coming.
        case receiving
        /// Somebody works on the answer; the connection sleeps meanwhile.
        case working
        /// The answer is there and can be handed to the library.
        case ready(ControlResponse)
        /// The library has it.
        case answered
    }

    let connection: OpaquePointer
    let method: String
    let url: String
    var head = RequestHead("", [])
    var state = State.receiving
    /// What stands between the slashes.
    var path: [String] { url.split(separator: "/").map(String.init) }
    var body: [UInt8] = []
    /// How much of the body has come, also where it was passed over.
    var byteCount = 0
    /// The body, where the answer is worked on while it comes.
    var upload: Upload?
    var isAsleep = false
    /// Works on the answer, or on its next bytes.
    var task: Task<Void, Never>?
    /// Waits for the caller to go away while the library does not look.
    var absence: DescriptorWatch?
    /// Where the bytes of an answer come from that goes on.
    var source: ControlResponse.Source?
    /// What came from there and was not taken yet.
    var waiting: ArraySlice<UInt8> = []
    var hasEnded = false
    /// Whether what has to come is missing, so that there is no end of the answer to tell.
    var isBroken = false
}
