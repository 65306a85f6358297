/// The response to a ``BlockRequest``.
package struct BlockResponse: Hashable, Sendable {
    package enum Code: UInt64, Hashable, Sendable {
        case fine = 0
        case failed = 1
        case noSuchFile = 2
        case invalidFile = 3
    }

    package var id: Int32
    package var code: Code
    package var data: [UInt8]

    package init(id: Int32, code: Code, data: [UInt8]) {
        (self.id, self.code, self.data) = (id, code, data)
    }

    init(decoding bytes: ArraySlice<UInt8>) throws(ProtocolViolation) {
        self.init(id: 0, code: .fine, data: [])
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: id = try field.small()
            case 2: data = Array(try field.bytes())
            case 3: code = Code(rawValue: try field.unsigned()) ?? .failed
            default: break
            }
        }
    }

    var body: [UInt8] {
        var writer = ProtobufWriter()
        writer.number(1, Int64(id))
        writer.data(2, data)
        writer.number(3, code.rawValue)
        return writer.bytes
    }
}
