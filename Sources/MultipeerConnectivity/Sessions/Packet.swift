import Foundation

/// The content of one message of the engine; its first byte is the kind.
enum Packet {
    case handshake(Handshake)
    /// A message of the app, or its last part.
    case data(Data)
    /// A part that is not the last.
    case part(Data)

    /// Maximum number of message bytes in one packet.
    static let size = (1 << 20) - 1
    /// Maximum length of a message. Longer data is sent as a file.
    static let messageLimit = 16 << 20

    private enum Kind: UInt8 {
        case handshake = 0
        case data = 1
        case part = 2
    }

    init?(_ bytes: [UInt8]) {
        guard let kind = bytes.first.flatMap(Kind.init) else { return nil }
        let rest = Data(bytes.dropFirst())
        switch kind {
        case .handshake:
            guard let handshake = Handshake.reading(rest) else { return nil }
            self = .handshake(handshake)
        case .data: self = .data(rest)
        case .part: self = .part(rest)
        }
    }

    static func bytes(of handshake: Handshake) -> [UInt8] { [Kind.handshake.rawValue] + Coding.data(handshake) }

    /// A message as packets.
    static func bytes(of message: Data) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var rest = message
        while rest.count > size {
            packets.append([Kind.part.rawValue] + rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        packets.append([Kind.data.rawValue] + rest)
        return packets
    }
}
