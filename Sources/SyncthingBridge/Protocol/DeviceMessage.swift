/// A message between two devices.
package enum DeviceMessage: Hashable, Sendable {
    case clusterConfig(ClusterConfig)
    case index(IndexMessage)
    case request(BlockRequest)
    case response(BlockResponse)
    case ping
    case close(reason: String)
    /// A message that needs no action, such as DownloadProgress, or a kind that is newer than this code.
    case other(type: UInt64)

    private static let leastCompressed = 128

    /// The message with its header. As Syncthing does by default, everything but blocks is compressed if that saves
    /// bytes: saves are often compressed already.
    package var encoded: [UInt8] {
        let (type, body) = content
        var isCompressed = false
        var sent = body
        if type != MessageType.response, body.count >= Self.leastCompressed, let packed = LZ4Block.compressed(body) {
            (sent, isCompressed) = (packed, true)
        }
        var header = ProtobufWriter()
        header.number(1, type)
        header.flag(2, isCompressed)
        return BigEndian.bytes(UInt16(header.bytes.count)) + header.bytes + BigEndian.bytes(UInt32(sent.count)) + sent
    }

    init(type: UInt64, body: ArraySlice<UInt8>) throws(ProtocolViolation) {
        switch type {
        case MessageType.clusterConfig: self = .clusterConfig(try ClusterConfig(decoding: body))
        case MessageType.index: self = .index(try IndexMessage(decoding: body, extent: .whole))
        case MessageType.indexUpdate: self = .index(try IndexMessage(decoding: body, extent: .update))
        case MessageType.request: self = .request(try BlockRequest(decoding: body))
        case MessageType.response: self = .response(try BlockResponse(decoding: body))
        case MessageType.ping: self = .ping
        case MessageType.close: self = .close(reason: try Self.reason(body))
        default: self = .other(type: type)
        }
    }

    private var content: (type: UInt64, body: [UInt8]) {
        switch self {
        case .clusterConfig(let config): return (MessageType.clusterConfig, config.body)
        case .index(let index):
            return (index.extent == .whole ? MessageType.index : MessageType.indexUpdate, index.body)
        case .request(let request): return (MessageType.request, request.body)
        case .response(let response): return (MessageType.response, response.body)
        case .ping: return (MessageType.ping, [])
        case .close(let reason):
            var writer = ProtobufWriter()
            writer.text(1, reason)
            return (MessageType.close, writer.bytes)
        case .other(let type): return (type, [])
        }
    }

    private static func reason(_ body: ArraySlice<UInt8>) throws(ProtocolViolation) -> String {
        var (reader, reason) = (ProtobufReader(body), "")
        while let field = try reader.next() {
            if field.number == 1 { reason = try field.text() }
        }
        return reason
    }
}

/// The numbers of messages in their headers.
enum MessageType {
    static let clusterConfig: UInt64 = 0
    static let index: UInt64 = 1
    static let indexUpdate: UInt64 = 2
    static let request: UInt64 = 3
    static let response: UInt64 = 4
    static let ping: UInt64 = 6
    static let close: UInt64 = 7
}
