import Foundation

/// What travels in one message of the engine: its first byte says what it is.
enum Parcel {
    case hello(Hello)
    /// A message of the app, or its last part.
    case data(Data)
    /// A part that is not the last.
    case part(Data)

    /// How much of a message goes into one parcel.
    static let size = (1 << 20) - 1
    /// How long a message may be. What is longer is a file.
    static let messageLimit = 16 << 20

    private enum Kind: UInt8 {
        case hello = 0
        case data = 1
        case part = 2
    }

    init?(_ bytes: [UInt8]) {
        guard let kind = bytes.first.flatMap(Kind.init) else { return nil }
        let rest = Data(bytes.dropFirst())
        switch kind {
        case .hello:
            guard let hello = Hello.reading(rest) else { return nil }
            self = .hello(hello)
        case .data: self = .data(rest)
        case .part: self = .part(rest)
        }
    }

    static func bytes(of hello: Hello) -> [UInt8] { [Kind.hello.rawValue] + Coding.data(hello) }

    /// A message as it travels, in as many parcels as it needs.
    static func bytes(of message: Data) -> [[UInt8]] {
        var parcels: [[UInt8]] = []
        var rest = message
        while rest.count > size {
            parcels.append([Kind.part.rawValue] + rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        parcels.append([Kind.data.rawValue] + rest)
        return parcels
    }
}
